"""What is written on the sheets, in both languages."""

from __future__ import annotations

LANGUAGES = ("en", "fr")
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "markers": "Rim markers: {board}",
        "markers_how": "Cut along the marks and glue flat on the rim: the side marked north to the north, the centre "
        "at the place given (mm from the surface's NW corner).",
        "charuco": "Pattern for measuring the lens",
        "charuco_how": "Glue flat on a stiff board; show it to the camera from all sides. Its description: {pattern}",
        "ruler": "Ruler",
        "ruler_how": "It tells whether this printer keeps to scale.",
        "measure": "This line must be {mm} mm long. If not, make the sheets again with --measured and its length.",
        "full_size": "Print at full size (100 %), without fitting to the page.",
        "applied": "Drawn at {percent} % for a printer on which the line measured {measured} mm; print without fitting "
        "to the page.",
        "north": "north",
        "south": "south side",
        "north side": "north side",
        "west": "west side",
        "east": "east side",
        "north-west": "north-west",
        "north-east": "north-east",
        "south-east": "south-east",
        "south-west": "south-west",
        "middle": "on the surface",
    },
    "fr": {
        "markers": "Repères de la bordure : {board}",
        "markers_how": "Découper aux traits et coller à plat sur la bordure : le côté marqué nord vers le nord, le "
        "centre à l’endroit indiqué (mm depuis le coin NO).",
        "charuco": "Mire pour mesurer l’objectif",
        "charuco_how": "Coller à plat sur un support rigide ; la montrer à la caméra de tous côtés. "
        "Sa description : {pattern}",
        "ruler": "Règle",
        "ruler_how": "Elle dit si cette imprimante respecte l’échelle.",
        "measure": "Cette ligne doit mesurer {mm} mm. Sinon, refaire les feuilles avec --measured et sa longueur.",
        "full_size": "Imprimer en taille réelle (100 %), sans ajuster à la page.",
        "applied": "Dessiné à {percent} % pour une imprimante où la ligne mesurait {measured} mm ; imprimer sans "
        "ajuster à la page.",
        "north": "nord",
        "south": "côté sud",
        "north side": "côté nord",
        "west": "côté ouest",
        "east": "côté est",
        "north-west": "nord-ouest",
        "north-east": "nord-est",
        "south-east": "sud-est",
        "south-west": "sud-ouest",
        "middle": "sur la surface",
    },
}
