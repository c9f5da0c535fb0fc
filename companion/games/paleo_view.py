"""What a screen shows of a match of Paleo, as JSON."""

from __future__ import annotations

from typing import Any

from companion.games.base import Json
from companion.games.paleo_case import shown_role
from companion.games.paleo_hands import todo
from companion.games.paleo_reefs import gaps, p8_next
from companion.games.paleo_seats import p39_plays
from companion.games.paleo_shot import facts_seen
from companion.games.paleo_state import PaleoState, Question


def view(state: PaleoState) -> Json:
    """Score, turn, keys, captured pawns, places, the open question, what hands are to do, and the log."""
    ids = {k: i for i, k in state.seen_as.items()}
    return {
        "game": "paleo",
        "match": state.match,
        "board": {"name": state.sheet.name, "size": list(state.sheet.size)},
        "phase": state.phase,
        "paused": state.paused,
        "kept_by": state.options.kept_by,
        "round": state.round,
        "turn": state.turn,
        "begins": state.begins,
        "players": [_player(state, t) for t in state.sheet.names],
        "pucks": [
            {
                **_pawn(state, k),
                "x_mm": place[0],
                "y_mm": place[1],
                "role": shown_role(state, k),
                "seen_as": ids.get(k),
                "captured": state.pawns[k].captured,
            }
            for k, place in state.places.items()
        ],
        "doors": [
            {"name": d.name, "team": d.team, "key": d.name not in state.keys, "held_by": state.keys.get(d.name)}
            for d in state.sheet.doors
        ],
        "immune": sorted(state.immune),
        "todo": todo(state),
        "question": question_json(state.question, state.waiting[0].entry) if state.question else None,
        "waiting_shots": len(state.waiting),
        "rounds": [{"round": r.round, "winner": r.winner, "points": r.points, "how": r.how} for r in state.results],
        "winner": state.winner,
        "points_to_win": state.options.points_to_win,
        "shots": state.shots,
        "options": state.options.to_json(),
        "last": state.log[-1].text.to_json() if state.log else None,
        "log": [line.to_json() for line in state.log],
        "reefs": [dict(reef) for reef in state.reefs],
        "reef_notices": [notice.to_json() for notice in state.reef_notices],
        "reef_gaps": gaps(state),
        "reef_order": p8_next(state),
        "ruled": [{"id": entry, "facts": facts_seen(shot).to_json()} for entry, shot in state.ruled],
    }


def _player(state: PaleoState, team: str) -> Json:
    held = state.held_by(team)
    return {
        "team": team,
        "name": state.players[team],
        "members": list(state.members.get(team, ())),
        "plays": list(p39_plays(state, team)),
        "points": state.points.get(team, 0),
        "keys": list(state.keys_of(team)),
        "captured": [_pawn(state, k) for k in held],
        "pawns_on_board": len(state.on_board(team)),
    }


def _pawn(state: PaleoState, key: str) -> Json:
    pawn = state.pawns[key]
    numbered = state.sheet.team(pawn.team).numbered
    number: Any = int(pawn.label) if numbered and pawn.sure else None
    return {"puck": key, "team": pawn.team, "number": number}


def question_json(question: Question, entry: int) -> Json:
    """The open question as screens get it."""
    return {
        "id": question.id_for(entry),
        "kind": question.kind,
        "team": question.team,
        "text": question.text.to_json(),
        "choices": [{"value": c.value, "text": c.text.to_json()} for c in question.choices],
        "account": question.account.to_json() if question.account else None,
        "seen": dict(question.seen),
        "reasons": list(question.reasons),
        "why": [text.to_json() for text in question.why],
    }
