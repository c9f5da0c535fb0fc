"""What sensors say, in the players' words and both languages."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.base import Text
from firmware_bridge.inputs import GATE, INNER, KNOCK, WIRED
from firmware_bridge.transport import Trouble

BEAM = {"outer": Text("outer beam", "faisceau extérieur"), "inner": Text("inner beam", "faisceau intérieur")}


def sensor_name(number: int, doors: tuple[str, ...]) -> Text:
    """An input, for people."""
    wired = WIRED[number]
    if wired.kind == "beam" and wired.door is not None:
        name = doors[wired.door] if wired.door < len(doors) else f"{wired.door + 1}"
        side = BEAM[wired.side or INNER]
        return Text(f"the {side.en} at {name}", f"le {side.fr} de {name}")
    if number == GATE:
        return Text("the gate's sensor", "le capteur de la porte de la cité")
    if number == KNOCK:
        return Text("the knock sensor", "le capteur de chocs")
    return Text("the turn button", "le bouton de tour")


SET_ASIDE = {
    "stuck": Text(
        "is broken or covered with nothing there: it does not count until it is free. Look for dirt, or a beam knocked "
        "out of line.",
        "est coupé ou couvert sans rien devant : il ne compte plus tant qu’il n’est pas libre. Cherchez de la "
        "poussière, ou un faisceau déréglé.",
    ),
    "flickers": Text(
        "flickers: it does not count until it is quiet. Look at its plug.",
        "clignote : il ne compte plus tant qu’il n’est pas calme. Vérifiez sa prise.",
    ),
    "mute": Text(
        "says nothing when pawns go in: it does not count until it does. Look at its plug and its light, or tell the "
        "board that it is not fitted.",
        "ne dit rien quand des pions entrent : il ne compte plus tant qu’il se tait. Vérifiez sa prise et sa lumière, "
        "ou indiquez à la carte qu’il n’est pas monté.",
    ),
}


def set_aside(number: int, why: str, doors: tuple[str, ...]) -> Text:
    """A sensor does not count, for one of the reasons of SET_ASIDE, until it shows that it works."""
    name, why_not = sensor_name(number, doors), SET_ASIDE[why]
    return Text(f"{name.en[:1].upper()}{name.en[1:]} {why_not.en}", f"{name.fr[:1].upper()}{name.fr[1:]} {why_not.fr}")


def works_again(number: int, doors: tuple[str, ...]) -> Text:
    """A sensor that was set aside counts again."""
    name = sensor_name(number, doors)
    return Text(
        f"{name.en[:1].upper()}{name.en[1:]} works again.", f"{name.fr[:1].upper()}{name.fr[1:]} marche de nouveau."
    )


def alone_door(door: str, direction: str) -> Text:
    """The beams saw what the camera could not."""
    way = ("went in at", "est entré à") if direction == "in" else ("came out at", "est sorti de")
    return Text(
        f"While the camera was away, the beams felt that a pawn {way[0]} {door}.",
        f"Pendant l’absence de la caméra, les faisceaux ont senti qu’un pion {way[1]} {door}.",
    )


def late_door(door: str, direction: str) -> Text:
    """The beams' word came over a bad line, after the shot was told without it."""
    way = ("went in at", "est entré à") if direction == "in" else ("came out at", "est sorti de")
    return Text(
        f"Told late: in the last shot the beams felt that a pawn {way[0]} {door}. Correct the shot where it "
        "is not in it.",
        f"Signalé trop tard : au dernier coup, les faisceaux ont senti qu’un pion {way[1]} {door}. Corrigez le coup si "
        "cela n’y figure pas.",
    )


def alone_gate(covered: bool) -> Text:
    """The gate's sensor saw what the camera could not."""
    what = ("came onto the gate", "est arrivé sur la porte de la cité")
    gone = ("left the gate", "a quitté la porte de la cité")
    en, fr = what if covered else gone
    return Text(
        f"While the camera was away, the gate's sensor felt that a pawn {en}.",
        f"Pendant l’absence de la caméra, le capteur a senti qu’un pion {fr}.",
    )


def alone_knock() -> Text:
    """Something struck the board while the camera could not see."""
    return Text(
        "While the camera was away, something struck the board.",
        "Pendant l’absence de la caméra, quelque chose a heurté le plateau.",
    )


def gap(reason: str, count: int | None) -> Text:
    """Events of the sensors were lost."""
    many = (f"{count} events", f"{count} événements") if count is not None else ("some events", "des événements")
    en, fr = {
        "overflow": ("its memory was full", "sa mémoire était pleine"),
        "reboot": ("it has started anew", "elle a redémarré"),
        "elsewhere": ("another program took them", "un autre programme les a pris"),
        "unplugged": ("its cable was pulled out; plug it in again", "son câble a été débranché ; rebranchez-le"),
        "silent": ("it says nothing any more; look at its cable", "elle ne dit plus rien ; voyez son câble"),
        "garbled": (
            "what it says comes damaged; look at its cable and plugs",
            "ce qu’elle dit arrive abîmé ; voyez son câble et ses prises",
        ),
    }[reason]
    return Text(
        f"The sensor board may have missed {many[0]}: {en}.",
        f"La carte des capteurs a pu manquer {many[1]} : {fr}.",
    )


# What is wrong with the port or the board, by its kind; English is the trouble's own line.
TROUBLES_FR = {
    "no_port": "{port} : ce port n’existe pas ; branchez la carte des capteurs, ou voyez par « paleo doctor » "
    "les ports qu’il y a",
    "no_name": "aucun port n’est nommé ; donnez-en un comme /dev/ttyUSB0 ou COM3, ou le mot auto",
    "no_permission": "{port} : pas la permission de l’ouvrir ; il appartient au groupe {word} : lancez "
    "« sudo usermod -aG {word} $USER », puis ouvrez une nouvelle session",
    "taken": "{port} : un autre programme l’a ouvert ; fermez le moniteur de l’IDE Arduino ou l’autre compagnon",
    "no_serial_port": "{port} : ce n’est pas un port série ; donnez-en un comme /dev/ttyUSB0 ou COM3",
    "no_opening": "{port} : impossible de l’ouvrir ; débranchez le câble et rebranchez-le",
    "gone": "{port} : le port a disparu ; rebranchez la carte des capteurs",
    "away": "{port} : la carte des capteurs (numéro {word}) n’est plus branchée ; on l’attend : rebranchez-la, sur "
    "n’importe quelle prise USB",
    "another_device": "{port} : la carte des capteurs (numéro {word}) n’est plus ici, c’est un autre appareil, auquel "
    "on ne touche pas ; on l’attend : rebranchez-la, sur n’importe quelle prise USB",
    "unheard": "{port} : on n’entend plus ici la carte des capteurs (numéro {word}) ; on l’attend : rebranchez-la, sur "
    "n’importe quelle prise USB",
    "another_board": "{port} : une autre carte de capteurs s’y trouve ; il fallait celle de cette partie "
    "(numéro {word}) : branchez celle-là, ou redémarrez Paleo Companion pour prendre celle-ci",
    "none": "aucune carte de capteurs n’est branchée (pas de port série USB) ; branchez-la, ou nommez son port",
    "no_answer": "{port} : aucune carte de capteurs n’y répond (rien entendu) ; donnez un autre port, ou installez le "
    "micrologiciel comme hardware.md le dit",
    "other_language": "{port} : aucune carte de capteurs n’y répond (ce qui en vient n’est pas sa langue) ; donnez un "
    "autre port, ou installez le micrologiciel comme hardware.md le dit",
    "newer": "{port} : la carte des capteurs parle un protocole plus récent ; mettez Paleo Companion à jour",
    "older": "{port} : la carte des capteurs parle un protocole plus ancien ; installez le micrologiciel fourni avec "
    "ce compagnon (voir hardware.md)",
    "one_id": "deux cartes de capteurs ont le même numéro : {word} ; débranchez-en une, puis lancez "
    "« paleo sensors --new-id »",
    "several": "plusieurs cartes de capteurs sont branchées : {word} ; nommez celle à utiliser par --sensors",
    "waiting": "on attend que la carte se présente",
    "silent": "la carte des capteurs ne dit rien ; voyez son câble et son voyant",
    "garbled": "tout ce que dit la carte des capteurs arrive abîmé ; voyez son câble et ses prises, éloignez-la des "
    "moteurs, et fermez ce qui utilise encore le port",
}


def trouble(one: Trouble) -> Text:
    """What is wrong with the sensor board or its port, and what to do."""
    return Text(one.line, TROUBLES_FR[one.kind].format(port=one.port, word=one.word))


def troubles(all_of_them: Iterable[Trouble]) -> Text:
    """The same of several ports."""
    told = [trouble(one) for one in all_of_them]
    return Text("; ".join(t.en for t in told), " ; ".join(t.fr for t in told))
