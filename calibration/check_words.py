"""What the check says, in both languages: for each key its name, its sentence, and for advice what to do."""

from __future__ import annotations

from calibration.figures import figures_in

Said = dict[str, str]

NAMES: dict[str, Said] = {
    "pose": {"en": "Pose", "fr": "Position"},
    "accuracy": {"en": "Accuracy", "fr": "Précision"},
    "lens": {"en": "Lens", "fr": "Objectif"},
    "view": {"en": "View", "fr": "Champ"},
    "hidden": {"en": "Covered parts", "fr": "Parties cachées"},
    "scale": {"en": "Size of pucks", "fr": "Taille des palets"},
    "focus": {"en": "Focus", "fr": "Mise au point"},
    "bright": {"en": "Brightness", "fr": "Luminosité"},
    "glare": {"en": "Glare", "fr": "Reflets"},
    "noise": {"en": "Noise", "fr": "Bruit"},
    "flicker": {"en": "Flicker", "fr": "Scintillement"},
    "colours": {"en": "Colours", "fr": "Couleurs"},
    "rate": {"en": "Frame rate", "fr": "Cadence"},
    "shutter": {"en": "Shutter", "fr": "Obturateur"},
    "settings": {"en": "Camera settings", "fr": "Réglages de la caméra"},
}
SENTENCES: dict[str, Said] = {
    "pose": {"en": "{used} of {all} markers, residual {rms} px", "fr": "{used} repères sur {all}, résidu {rms} px"},
    "pose.outline": {"en": "by the board's outline, residual {rms} px", "fr": "d’après le contour, résidu {rms} px"},
    "pose.unsure": {
        "en": "by the board's outline, residual {rms} px; which way it is turned is not seen",
        "fr": "d’après le contour, résidu {rms} px ; le sens du plateau ne se voit pas",
    },
    "accuracy": {
        "en": "a place is right to {middle} mm, at worst to {worst} mm (one sigma)",
        "fr": "un endroit est juste à {middle} mm près, au pire à {worst} mm (un sigma)",
    },
    "lens": {
        "en": "measured: focal length {focal} px, from {views} views",
        "fr": "mesuré : focale de {focal} px, sur {views} vues",
    },
    "lens.none": {"en": "not measured; estimated from the markers", "fr": "non mesuré ; estimé d’après les repères"},
    "lens.turned": {
        "en": "the picture is upside-down against those of the lens file",
        "fr": "l’image est à l’envers par rapport à celles du fichier d’objectif",
    },
    "lens.cropped": {
        "en": "the picture is cropped or zoomed against those of the lens file",
        "fr": "l’image est recadrée ou agrandie par rapport à celles du fichier d’objectif",
    },
    "lens.stretched": {
        "en": "not measured, and the picture is stretched: what is square is shown {percent} % as high as it is wide",
        "fr": "non mesuré, et l’image est étirée : ce qui est carré y est haut de {percent} % de sa largeur",
    },
    "view": {
        "en": "{share} % of board and rim are in the picture",
        "fr": "{share} % du plateau et de la bordure sont visibles",
    },
    "view.cut": {
        "en": "{share} % of board and rim are in the picture; cut off: {parts}",
        "fr": "{share} % du plateau et de la bordure sont visibles ; coupé : {parts}",
    },
    "hidden": {
        "en": "nothing large is seen to lie on the open surface or to reach over it",
        "fr": "rien de grand ne se voit sur la surface libre ni au-dessus",
    },
    "hidden.found": {
        "en": "about {share} % of the surface is covered: {parts}",
        "fr": "environ {share} % de la surface est caché : {parts}",
    },
    "hidden.unknown": {
        "en": "cannot be told on a surface of so many colours",
        "fr": "ne peut se dire sur une surface de tant de couleurs",
    },
    "scale": {"en": "a puck is {px} pixels wide", "fr": "un palet fait {px} pixels"},
    "focus": {"en": "edges are blurred by {px} px", "fr": "les contours sont flous de {px} px"},
    "focus.unknown": {"en": "cannot be told from the markers", "fr": "les repères n’en disent rien"},
    "bright": {"en": "bright parts reach {level} of 255", "fr": "les parties claires atteignent {level} sur 255"},
    "glare": {
        "en": "{share} % of the board are washed out {places}",
        "fr": "{share} % du plateau sont éblouis {places}",
    },
    "noise": {"en": "{levels} gray levels", "fr": "{levels} niveaux de gris"},
    "flicker": {"en": "brightness wavers by {share} %", "fr": "la luminosité oscille de {share} %"},
    "colours": {"en": "the picture has colours", "fr": "l’image est en couleurs"},
    "colours.none": {
        "en": "the picture has none; the teams differ in lightness",
        "fr": "l’image n’en a pas ; les équipes diffèrent par leur clarté",
    },
    "colours.alike": {
        "en": "the picture has none, and in grey {one} and {other} look alike",
        "fr": "l’image n’en a pas, et en gris {one} et {other} se confondent",
    },
    "rate": {
        "en": "{delivered} pictures a second, of {said} promised",
        "fr": "{delivered} images par seconde, sur {said} images promises",
    },
    "shutter": {
        "en": "about {shutter} s ({shortest} to {longest} s) by flicks up to {speed} m/s: {blur} mm of blur at 2 m/s",
        "fr": "environ {shutter} s ({shortest} à {longest} s), coups jusqu’à {speed} m/s : flou de {blur} mm à 2 m/s",
    },
    "shutter.short": {
        "en": "shorter than {longest} s by flicks up to {speed} m/s: there is hardly any blur",
        "fr": "plus court que {longest} s, coups jusqu’à {speed} m/s : il n’y a presque pas de flou",
    },
    "shutter.unsure": {
        "en": "a flick of {speed} m/s was seen, but its blur does not tell the shutter",
        "fr": "un coup à {speed} m/s a été vu, mais son flou ne dit pas l’obturateur",
    },
    "shutter.none": {
        "en": "no flicked puck was seen that came to rest alone on the board",
        "fr": "aucun palet tiré n’a été vu s’arrêter seul sur le plateau",
    },
    "shutter.film": {"en": "not measured here", "fr": "non mesuré ici"},
    "settings": {"en": "locked: {locked}", "fr": "verrouillés : {locked}"},
    "settings.missed": {"en": "did not take: {missed}", "fr": "non pris en compte : {missed}"},
}
PARTS: dict[str, Said] = {  # the ninths of the board
    "nw": {"en": "north-west corner", "fr": "coin nord-ouest"},
    "n": {"en": "north side", "fr": "côté nord"},
    "ne": {"en": "north-east corner", "fr": "coin nord-est"},
    "w": {"en": "west side", "fr": "côté ouest"},
    "middle": {"en": "middle", "fr": "milieu"},
    "e": {"en": "east side", "fr": "côté est"},
    "sw": {"en": "south-west corner", "fr": "coin sud-ouest"},
    "s": {"en": "south side", "fr": "côté sud"},
    "se": {"en": "south-east corner", "fr": "coin sud-est"},
}
ADVICE: dict[str, Said] = {
    "pose.unsure": {
        "en": "turn the camera so that north is up, or click the corners",
        "fr": "tourner la caméra, le nord en haut, ou cliquer les coins",
    },
    "pose.misfit": {
        "en": "check that board file, lens file and camera belong together, and that the markers lie flat",
        "fr": "vérifier que plateau, objectif et caméra vont ensemble, et que les repères sont à plat",
    },
    "pose.sizes": {
        "en": "the markers are {file} mm wide in the board file, by their places {seen} mm: correct the size they were "
        "printed at, or take the file of this board",
        "fr": "les repères font {file} mm dans le fichier, {seen} mm d’après leurs places : corriger leur taille, "
        "ou prendre le fichier de ce plateau",
    },
    "pose.elsewhere": {
        "en": "marker {id} lies about {off} mm further {way} than the board file says: measure its place and correct "
        "it, or glue it on where the file says",
        "fr": "le repère {id} est à environ {off} mm, en direction {way}, de là où le dit le fichier : mesurer et "
        "corriger sa place, ou le coller là où le fichier le dit",
    },
    "pose.width": {
        "en": "by its markers the board is {seen} mm wide, its file says {file} mm: measure it and correct the file",
        "fr": "d’après ses repères, le plateau est large de {seen} mm, son fichier dit {file} mm : mesurer et corriger",
    },
    "pose.height": {
        "en": "by its markers the board is {seen} mm high, its file says {file} mm: measure it and correct the file",
        "fr": "d’après ses repères, le plateau est haut de {seen} mm, son fichier dit {file} mm : mesurer et corriger",
    },
    "pose.unseen": {
        "en": "marker {unseen} is not seen: uncover it, or light it better",
        "fr": "le repère {unseen} n’est pas vu : le dégager, ou mieux l’éclairer",
    },
    "pose.crooked": {
        "en": "marker {crooked} does not fit the others: stick it on straight, or correct its place in the board file",
        "fr": "le repère {crooked} ne va pas avec les autres : le recoller droit, ou corriger sa place dans le fichier",
    },
    "accuracy": {
        "en": "measure the lens with more views in all corners of the picture, and show all markers",
        "fr": "mesurer l’objectif avec plus de vues dans tous les coins de l’image, et montrer tous les repères",
    },
    "lens": {
        "en": "measure the lens: paleo sheets, then paleo calibrate lens",
        "fr": "mesurer l’objectif : paleo sheets, puis paleo calibrate lens",
    },
    "lens.misfit": {
        "en": "switch digital zoom and turning off, or measure the lens as the camera is used",
        "fr": "couper zoom numérique et rotation, ou mesurer l’objectif tel que la caméra sert",
    },
    "lens.stretched": {
        "en": "let the camera give pictures of another shape, such as 1280x720, or measure the lens",
        "fr": "faire donner à la caméra des images d’une autre forme, comme 1280x720, ou mesurer l’objectif",
    },
    "view": {
        "en": "raise the camera by about {raise} cm, or move it over the middle of the board",
        "fr": "monter la caméra d’environ {raise} cm, ou la placer au-dessus du milieu",
    },
    "hidden": {
        "en": "take away what lies on the board or reaches over it (red in the picture of the residuals)",
        "fr": "enlever ce qui est posé sur le plateau ou passe au-dessus (en rouge sur l’image des résidus)",
    },
    "scale": {
        "en": "lower the camera by about {lower} cm where the board still fits, or choose a larger picture",
        "fr": "descendre la caméra d’environ {lower} cm si le plateau tient encore, ou choisir une image plus grande",
    },
    "focus": {
        "en": "focus on the board and switch autofocus off",
        "fr": "mettre au point sur le plateau et couper l’autofocus",
    },
    "bright": {"en": "add light, or raise the gain", "fr": "ajouter de la lumière, ou monter le gain"},
    "glare": {
        "en": "move the lamp to the side, or soften it with paper; lower the exposure",
        "fr": "déplacer la lampe sur le côté, ou l’adoucir avec du papier ; baisser l’exposition",
    },
    "noise": {"en": "add light and lower the gain", "fr": "ajouter de la lumière et baisser le gain"},
    "flicker": {
        "en": "set the exposure to 1/50, 1/100 or 1/200 s (50 Hz mains; 1/60 or 1/120 s at 60 Hz), or use another lamp",
        "fr": "régler l’exposition à 1/50, 1/100 ou 1/200 s (secteur à 50 Hz), ou changer de lampe",
    },
    "colours": {
        "en": "add light, and switch night vision and black and white off at the camera",
        "fr": "ajouter de la lumière, et couper la vision nocturne et le noir et blanc de la caméra",
    },
    "rate": {
        "en": "switch automatic exposure off, ask for 30 pictures a second, and use a port of its own",
        "fr": "couper l’exposition automatique, demander 30 images par seconde, et utiliser un port à part",
    },
    "shutter": {
        "en": "set the exposure to {better} s and raise the gain, or add light",
        "fr": "régler l’exposition à {better} s et monter le gain, ou ajouter de la lumière",
    },
    "shutter.film": {
        "en": "press Test flick, and flick a puck when you are told to",
        "fr": "appuyer sur Essai de tir, et tirer un palet quand c’est demandé",
    },
    "settings": {
        "en": "set it with the maker's program, or lock it again: paleo calibrate camera",
        "fr": "le régler avec le logiciel du fabricant, ou verrouiller à nouveau : paleo calibrate camera",
    },
    "shutter.unsure": {
        "en": "set the exposure yourself (1/250 s is good), or film a faster flick that stops on the bare surface",
        "fr": "régler soi-même l’exposition (1/250 s convient), ou filmer un coup plus vif qui finit en terrain libre",
    },
    "shutter.none": {
        "en": "film two seconds of rest, then flick a puck so that it stops on the bare surface, away from the hand",
        "fr": "filmer deux secondes au repos, puis tirer un palet qui s’arrête en terrain libre, loin de la main",
    },
}
WAYS_IN_FRENCH = {
    "north": "nord", "north-east": "nord-est", "east": "est", "south-east": "sud-est", "south": "sud",
    "south-west": "sud-ouest", "west": "ouest", "north-west": "nord-ouest",
}  # fmt: skip
GRADES: dict[str, Said] = {
    "green": {"en": "GREEN", "fr": "VERT"},
    "amber": {"en": "AMBER", "fr": "ORANGE"},
    "red": {"en": "RED", "fr": "ROUGE"},
}


def told(key: str, figures: dict[str, str], language: str = "en") -> str:
    """The sentence of a finding; figures["parts"] names ninths of the board by their keys."""
    if "parts" in figures:
        figures = {**figures, "parts": ", ".join(PARTS[part][language] for part in figures["parts"].split())}
    return figures_in(language, SENTENCES[key][language].format(**figures).strip())


def name(key: str, language: str = "en") -> str:
    """What a finding is about."""
    return NAMES[key.partition(".")[0]][language]


def advised(key: str, figures: dict[str, str], language: str = "en") -> str:
    """What to do about a finding; empty where nothing is to be done."""
    if language == "fr" and "way" in figures:
        figures = {**figures, "way": WAYS_IN_FRENCH[figures["way"]]}
    return figures_in(language, ADVICE[key][language].format(**figures)) if key else ""
