"""What makes the pages an application of a phone: the manifest, and a worker that is honest about being offline."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, url_for

from companion.dashboard.texts import language

SCOPE = "/"


def make_shell(version: str) -> Blueprint:
    """The blueprint."""
    blueprint = Blueprint("shell", __name__)

    @blueprint.get("/manifest.webmanifest")
    def manifest() -> Response:
        icons = [
            {"src": url_for("static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": url_for("static", filename="icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": url_for("static", filename="icon-512.png"), "sizes": "512x512", "type": "image/png",
             "purpose": "any maskable"},
        ]  # fmt: skip
        response = jsonify(
            name="Paleo Companion", short_name="Paleo", id=SCOPE, start_url=SCOPE, scope=SCOPE, display="standalone",
            lang=language(), background_color="#f3ead8", theme_color="#12303d", icons=icons,
        )  # fmt: skip
        response.mimetype = "application/manifest+json"
        return response

    @blueprint.get("/offline")
    def offline() -> str:
        return render_template("offline.html", page="offline")

    @blueprint.get("/service-worker.js")
    def worker() -> Response:
        """From the root, as it may rule no addresses above its own; each version is a new one."""
        body = render_template("service-worker.js", version=version)
        return Response(body, mimetype="text/javascript", headers={"Service-Worker-Allowed": SCOPE})

    return blueprint
