"""Runs where Blender's module lives (pip install bpy): python scene.py FOLDER.

FOLDER holds scene.json and its textures, as `benchmarks/traced/__main__.py` writes them, and jobs.jsonl: one picture a
line, all of it or a part. Pictures go to FOLDER as PNG, under the names that the jobs give.

Units: 100 mm are one of Blender's; x east, y north, z up, so that a board's (x, y, height) is (x, -y, height) here.
"""

import json
import math
import sys
from pathlib import Path

import bpy  # isort: skip  (the others come with it)
import bmesh
import numpy as np
from mathutils import Matrix, Vector

FOLDER = Path(sys.argv[1])
MM = 0.01
SCENE = json.loads((FOLDER / "scene.json").read_text())
ROUND_STEPS = 4  # of a rounded edge


def at(x, y, z):
    return (x * MM, -y * MM, z * MM)


def linear(hexed):
    """sRGB hex to linear RGBA."""
    values = [int(hexed[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return (*(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values), 1.0)


def material(name, colour=None, picture=None, roughness=0.5, coat=0.0, interpolation="Linear"):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Coat Weight"].default_value = coat
    if picture is not None:
        image = nodes.new("ShaderNodeTexImage")
        image.image = bpy.data.images.load(str(FOLDER / picture))
        image.interpolation = interpolation
        links.new(image.outputs["Color"], shader.inputs["Base Color"])
    else:
        shader.inputs["Base Color"].default_value = colour
    return made


def mesh_object(name, vertices, faces, materials, uvs=None, smooth=False, face_materials=None):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    for m in materials:
        mesh.materials.append(m)
    if face_materials is not None:
        mesh.polygons.foreach_set("material_index", face_materials)
    if smooth:
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    if uvs is not None:
        layer = mesh.uv_layers.new()
        for loop in mesh.loops:
            layer.data[loop.index].uv = uvs[loop.vertex_index]
    mesh.update()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    return thing


def plane(name, x0, y0, x1, y1, z, made, uv=((0, 1), (1, 1), (1, 0), (0, 0))):
    corners = [at(x0, y0, z), at(x1, y0, z), at(x1, y1, z), at(x0, y1, z)]
    return mesh_object(name, corners, [(3, 2, 1, 0)], [made], uv)


def prism(name, polygon, low, high, made, bevel_mm):
    """An upright block over a polygon (x, y) mm, its edges a little rounded."""
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    ring = polygon if area < 0 else polygon[::-1]
    n = len(ring)
    vertices = [at(x, y, low) for x, y in ring] + [at(x, y, high) for x, y in ring]
    faces = [tuple(range(n))[::-1], tuple(range(n, 2 * n))]
    faces += [(i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n)]
    thing = mesh_object(name, vertices, faces, [made])
    bevel = thing.modifiers.new("bevel", "BEVEL")
    bevel.width, bevel.segments = bevel_mm * MM, 2
    return thing


def puck_object(key, puck):
    """A disc whose edge is rounded; its top shows the printed number."""
    r, h, rounded = SCENE["puck"]["radius"], SCENE["puck"]["height"], SCENE["puck"]["rounded"]
    profile = [(r, 0.0)]
    profile += [
        (r - rounded * (1 - math.cos(a)), h - rounded * (1 - math.sin(a)))
        for a in np.linspace(0, math.pi / 2, ROUND_STEPS + 1)
    ]
    n, rings = 72, len(profile)
    angles = np.arange(n) * (2 * math.pi / n)
    vertices = [(p * MM * math.cos(a), p * MM * math.sin(a), z * MM) for p, z in profile for a in angles]
    uvs = [(0.5 + 0.5 * p / r * math.cos(a), 0.5 + 0.5 * p / r * math.sin(a)) for p, z in profile for a in angles]
    faces = [
        (k * n + i, k * n + (i + 1) % n, (k + 1) * n + (i + 1) % n, (k + 1) * n + i)
        for k in range(rings - 1)
        for i in range(n)
    ]
    sides = [1 if k == 0 else 0 for k in range(rings - 1) for _ in range(n)]
    faces.append(tuple((rings - 1) * n + i for i in range(n)))
    top = material(f"top {key}", picture=puck["top"], roughness=SCENE["puck"]["roughness"], coat=SCENE["puck"]["coat"])
    side = material(f"side {key}", linear(puck["colour"]), roughness=SCENE["puck"]["roughness"])
    thing = mesh_object(f"puck {key}", vertices, faces, [top, side], uvs, face_materials=[*sides, 0])
    for polygon in thing.data.polygons[:-1]:
        polygon.use_smooth = True
    return thing


def capsule(into, a, b, radius, flat=1.0):
    """A round-ended stick from a to b (mm), into a bmesh; flat: how high it is for its breadth."""
    a, b = np.array(a, float), np.array(b, float)
    for share in np.linspace(0, 1, max(2, int(np.linalg.norm(b - a) / (radius * 0.35)) + 1)):
        x, y, z = a + (b - a) * share
        where = Matrix.Translation(at(x, y, z)) @ Matrix.Diagonal((1, 1, flat, 1))
        bmesh.ops.create_icosphere(into, subdivisions=2, radius=radius * MM, matrix=where)


def hand_object(name, hand):
    """A hand that points along +x with its fingertip at the origin, and its sleeve."""
    shape = bmesh.new()
    slim = hand["slim"]
    sticks = [((-8.5, 0, 0), (-34, 1, 7), 8.0, 1.0), ((-34, 1, 7), (-66, 4, 17), 9.0, 1.0),
              ((-58, 17, 0), (-66, 19, 16), 8.0, 1.0), ((-66, 19, 16), (-90, 18, 20), 9.5, 1.0),
              ((-64, 33, 0), (-70, 33, 15), 8.0, 1.0), ((-70, 33, 15), (-92, 28, 18), 9.0, 1.0),
              ((-72, 46, 0), (-78, 45, 13), 7.0, 1.0), ((-78, 45, 13), (-97, 37, 16), 8.0, 1.0),
              ((-52, -20, 2), (-72, -26, 10), 9.0, 1.0), ((-72, -26, 10), (-104, -14, 16), 11.0, 1.0),
              ((-92, 12, 19), (-108, 10, 19), 32.0, 0.5), ((-108, 6, 20), (-150, 6, 24), 25.0, 0.75),
              ((-150, 6, 24), (-200, 6, 32), 26.0, 0.85)]  # fmt: skip
    for a, b, radius, flat in sticks:
        capsule(shape, a, b, radius * slim, flat)
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(material(f"{name} skin", linear(hand["skin"]), roughness=0.55))
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    remesh = thing.modifiers.new("one skin", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", 2.2 * MM, True
    smooth = thing.modifiers.new("smooth", "SMOOTH")
    smooth.iterations = 6
    baked(thing)
    n, vertices = 40, []
    for share in np.linspace(0, 1, 24):
        x, z = -158 - 1150 * share, 26 + hand["rise"] * 1150 * share
        wide = (33 + 26 * share) * (1 + 0.03 * math.sin(37 * share) + 0.02 * math.sin(91 * share))
        for i in range(n):
            turn = 2 * math.pi * i / n
            vertices.append(at(x, 5 + wide * math.cos(turn), z + 0.8 * wide * math.sin(turn)))
    faces = [(k * n + i, k * n + (i + 1) % n, (k + 1) * n + (i + 1) % n, (k + 1) * n + i)
             for k in range(23) for i in range(n)]  # fmt: skip
    cloth = material(f"{name} cloth", linear(hand["sleeve"]), roughness=0.9)
    sleeve = mesh_object(f"{name} sleeve", vertices, faces, [cloth], smooth=True)
    sleeve.parent = thing
    return thing


def baked(thing):
    """Applies what modifies a thing, once and for all."""
    graph = bpy.context.evaluated_depsgraph_get()
    mesh = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
    thing.modifiers.clear()
    thing.data = mesh


def lamp(told):
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size, light.size_y = "RECTANGLE", told["size"][0] * MM, told["size"][1] * MM
    light.energy, light.color = told["watts"], told["colour"]
    thing = bpy.data.objects.new("lamp", light)
    thing.location = at(*told["at"])
    target = np.array(at(*told["to"])) - np.array(thing.location)
    thing.rotation_euler = Vector(target).to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(thing)


def camera(told):
    made = bpy.data.cameras.new("camera")
    w = SCENE["size"][0]
    made.sensor_fit, made.sensor_width = "HORIZONTAL", 36.0
    made.lens = told["focal_px"] * 36.0 / w
    made.clip_start, made.clip_end = 0.1, 200.0
    thing = bpy.data.objects.new("camera", made)
    bpy.context.collection.objects.link(thing)
    flip = np.diag([1.0, -1.0, -1.0])
    rotation = flip @ np.array(told["rotation"]) @ flip
    shift = flip @ np.array(told["tvec"]) * MM
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = rotation.T, -rotation.T @ shift
    thing.matrix_world = Matrix(world.tolist())
    bpy.context.scene.camera = thing


def build():
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    (w, h), rim = SCENE["board"]["size"], SCENE["board"]["rim"]
    plane(
        "table",
        *SCENE["table"]["box"],
        SCENE["table"]["z"],
        material("table", picture="table.png", roughness=SCENE["table"]["roughness"]),
        SCENE["table"]["uv"],
    )
    plane("surface", 0, 0, w, h, 0.0, material("surface", picture="surface.png", roughness=SCENE["board"]["roughness"]))
    if rim:
        m, top, low = rim["width"], rim["height"], SCENE["table"]["z"]
        wood = material("wood", linear(rim["colour"]), roughness=0.45)
        boxes = ((-m, -m, w + m, 0), (-m, h, w + m, h + m), (-m, 0, 0, h), (w, 0, w + m, h))
        for i, (x0, y0, x1, y1) in enumerate(boxes):
            prism(f"rim {i}", [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], low, top, wood, 1.5)
        grain = material("grain", picture="rim.png", roughness=0.45)
        for i, (x0, y0, x1, y1) in enumerate(((-m + 2, -m + 2, w + m - 2, -2), (-m + 2, h + 2, w + m - 2, h + m - 2),
                                              (-m + 2, 0, -2, h), (w + 2, 0, w + m - 2, h))):  # fmt: skip
            corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
            u = [((x + m) / (w + 2 * m), 1 - (y + m) / (h + 2 * m)) for x, y in corners]
            plane(f"grain {i}", x0, y0, x1, y1, top + 0.02, grain, u)
    for i, block in enumerate(SCENE["blocks"]):
        paint = material(f"block {i}", linear(block["colour"]), roughness=0.4)
        prism(f"block {i}", block["polygon"], 0.0, block["height"], paint, 0.8)
    for i, marker in enumerate(SCENE["markers"]):
        (x, y), half = marker["centre"], marker["side"] / 2
        plane(f"marker {i}", x - half, y - half, x + half, y + half, marker["z"] + 0.15,
              material(f"marker {i}", picture=marker["picture"], roughness=0.8, interpolation="Closest"))  # fmt: skip
    for i, thing in enumerate(SCENE["props"]):
        prop(i, thing)
    for told in SCENE["lamps"]:
        lamp(told)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*SCENE["room"]["colour"], 1.0)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = SCENE["room"]["strength"]
    camera(SCENE["camera"])


def prop(i, thing):
    x, y, z = thing["at"]
    if thing["kind"] == "mug":
        bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=40 * MM, depth=90 * MM, location=at(x, y, z + 45))
        bpy.context.object.data.materials.append(material(f"mug {i}", linear(thing["colour"]), roughness=0.2))
        bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=36 * MM, depth=1 * MM, location=at(x, y, z + 90.2))
        bpy.context.object.data.materials.append(material(f"drink {i}", linear("#4a2c1a"), roughness=0.1))
        bpy.ops.mesh.primitive_torus_add(major_radius=26 * MM, minor_radius=6 * MM, location=at(x + 46, y, z + 48),
                                         rotation=(math.pi / 2, 0, 0))  # fmt: skip
        bpy.context.object.data.materials.append(material(f"ear {i}", linear(thing["colour"]), roughness=0.2))
    else:
        c, s = math.cos(thing["turn"]), math.sin(thing["turn"])
        a, b = thing["sides"][0] / 2, thing["sides"][1] / 2
        ring = [(x + c * u - s * v, y + s * u + c * v) for u, v in ((-a, -b), (a, -b), (a, b), (-a, b))]
        paint = material(f"prop {i}", linear(thing["colour"]), roughness=0.7)
        prism(f"prop {i}", ring, z, z + thing["sides"][2], paint, 0.5)


def settings():
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.render.threads_mode, scene.render.threads = "FIXED", SCENE["threads"]
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces = 2, 1
    scene.cycles.glossy_bounces, scene.cycles.transmission_bounces = 1, 0
    scene.cycles.use_light_tree = False
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.05
    scene.cycles.use_denoising = SCENE["denoise"]
    if SCENE["denoise"]:
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
        scene.cycles.denoising_quality, scene.cycles.denoising_prefilter = "FAST", "FAST"
    scene.render.use_persistent_data = True
    scene.render.resolution_x, scene.render.resolution_y = SCENE["size"]
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.compression = 10
    scene.render.use_motion_blur = True
    scene.render.motion_blur_shutter = 1.0
    scene.render.motion_blur_position = "START"
    scene.view_settings.view_transform = SCENE["film"]
    scene.view_settings.look = "None"
    scene.view_settings.exposure = SCENE["exposure"]


def curves(action):
    """An action's curves: since Blender 5 they lie in its layers."""
    if hasattr(action, "fcurves"):
        return action.fcurves
    return [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]


def keyed(thing, ways):
    """A thing's way over one exposure, from frame 1 to 2. ways: [x, y, z, turn] each, mm and radians, evenly apart."""
    thing.animation_data_clear()
    thing.hide_render = False
    for k, (x, y, z, turn) in enumerate(ways):
        thing.location, thing.rotation_euler = at(x, y, z), (0.0, 0.0, -turn)
        if len(ways) > 1:
            moment = 1.0 + k / (len(ways) - 1)
            thing.keyframe_insert("location", frame=moment)
    if len(ways) > 1:
        for curve in curves(thing.animation_data.action):
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"
    thing.cycles.use_motion_blur = len(ways) > 1
    thing.cycles.motion_steps = 3


def render(job, pucks, hands):
    scene = bpy.context.scene
    for key, thing in pucks.items():
        ways = job["pucks"].get(key)
        if ways is None:
            thing.animation_data_clear()
            thing.hide_render = True
        else:
            keyed(thing, ways)
    for who, thing in enumerate(hands):
        ways = job["hands"].get(str(who))
        for part in (thing, *thing.children):
            part.hide_render = ways is None
        if ways is not None:
            keyed(thing, ways)
            for part in thing.children:
                part.cycles.use_motion_blur = True
    scene.cycles.samples = job["samples"]
    scene.cycles.seed = job["seed"]
    scene.frame_set(1)
    w, h = SCENE["size"]
    box = job.get("box")
    scene.render.use_border = scene.render.use_crop_to_border = box is not None
    if box is not None:
        x0, y0, x1, y1 = box
        scene.render.border_min_x, scene.render.border_max_x = x0 / w, x1 / w
        scene.render.border_min_y, scene.render.border_max_y = 1 - y1 / h, 1 - y0 / h
    scene.render.filepath = str(FOLDER / job["out"])
    bpy.ops.render.render(write_still=True)


def main():
    build()
    settings()
    pucks = {key: puck_object(key, puck) for key, puck in SCENE["pucks"].items()}
    hands = [hand_object(f"hand {i}", hand) for i, hand in enumerate(SCENE["hands"])]
    with (FOLDER / "jobs.jsonl").open() as jobs:
        for line in jobs:
            job = json.loads(line)
            if not (FOLDER / job["out"]).exists():
                render(job, pucks, hands)


main()
