"""Settings are locked where the driver allows, read back, and told where they did not take."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from calibration.lens import CalibrationError
from vision.camera_settings import (
    CameraSettings,
    Setting,
    apply_settings,
    load_settings,
    load_told,
    parse_exposure,
    save_settings,
    save_told,
)

AUTOMATICS = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_AUTO_WB)


class Driver:
    """A camera's driver: keeps what it is set to, but for what is stubborn; rounds exposures to steps."""

    def __init__(self, backend: str = "V4L2", stubborn: tuple[int, ...] = (), step: float = 1.0) -> None:
        self.backend, self.stubborn, self.step = backend, stubborn, step
        exposure = 333.0 if backend == "V4L2" else -5.0
        self.values = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: exposure, cv2.CAP_PROP_GAIN: 20.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 30.0, cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
        }  # fmt: skip

    def getBackendName(self) -> str:
        return self.backend

    def get(self, propId: int) -> float:
        return self.values.get(propId, -1.0)

    def set(self, propId: int, value: float) -> bool:
        if propId in self.stubborn:
            return False
        self.values[propId] = round(value / self.step) * self.step if propId == cv2.CAP_PROP_EXPOSURE else value
        return True


def by_name(told: tuple[Setting, ...]) -> dict[str, Setting]:
    return {setting.name: setting for setting in told}


@pytest.mark.parametrize(("backend", "units"), [("V4L2", 40.0), ("DSHOW", -8.0)])
def test_what_is_asked_for_is_set_in_the_drivers_units_and_read_back(backend: str, units: float) -> None:
    driver = Driver(backend)
    told = by_name(apply_settings(driver, CameraSettings(1 / 250, 64.0, 12.0, 5000.0)))
    assert all(setting.took for setting in told.values())
    assert driver.values[cv2.CAP_PROP_EXPOSURE] == units
    assert [driver.values[p] for p in AUTOMATICS[1:]] == [0.0, 0.0]
    assert str(told["exposure"]) in ("exposure: 1/250 s", "exposure: 1/256 s")
    assert (told["gain"].found, told["focus"].found, told["white balance"].found) == (64.0, 12.0, 5000.0)


def test_what_is_not_asked_for_is_held_as_it_was_with_its_automatic_off() -> None:
    driver = Driver()
    told = by_name(apply_settings(driver, CameraSettings()))
    assert all(setting.took for setting in told.values())
    assert driver.values[cv2.CAP_PROP_EXPOSURE] == 333.0
    assert driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert str(told["focus"]) == "focus: 30 (held)"


@pytest.mark.parametrize(
    ("stubborn", "name"),
    [(cv2.CAP_PROP_EXPOSURE, "exposure"), (cv2.CAP_PROP_AUTO_EXPOSURE, "exposure"), (cv2.CAP_PROP_GAIN, "gain"),
     (cv2.CAP_PROP_AUTOFOCUS, "focus"), (cv2.CAP_PROP_WB_TEMPERATURE, "white balance")],
)  # fmt: skip
def test_what_did_not_take_is_told_with_what_the_camera_has(stubborn: int, name: str) -> None:
    told = by_name(apply_settings(Driver(stubborn=(stubborn,)), CameraSettings(1 / 250, 64.0, 12.0, 5000.0)))
    assert [n for n, setting in told.items() if not setting.took] == [name]
    assert "did not take: asked for" in str(told[name])


def test_a_driver_that_knows_only_coarse_steps_is_told() -> None:
    told = by_name(apply_settings(Driver(step=100.0), CameraSettings(exposure_s=1 / 250)))
    assert not told["exposure"].took


def test_a_backend_that_sets_nothing_is_told() -> None:
    told = by_name(apply_settings(Driver("AVFOUNDATION"), CameraSettings(exposure_s=1 / 250)))
    assert "nothing that can be read" in str(told["exposure"])


def test_settings_are_kept_and_read_back(tmp_path: Path) -> None:
    settings = CameraSettings(1 / 250, None, 12.0, 5000.0)
    save_settings(tmp_path / "settings.json", settings)
    assert load_settings(tmp_path / "settings.json") == settings


@pytest.mark.parametrize(("text", "said"), [("[]", "expected an object"), ('{"gain": "high"}', "gain: found 'high'"),
                                            ('{"zoom": 2}', "expected an object")])  # fmt: skip
def test_damaged_settings_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(CalibrationError, match=said):
        load_settings(tmp_path / "settings.json")


def test_exposures_are_read_as_people_write_them() -> None:
    assert parse_exposure("1/250") == 0.004
    assert parse_exposure("0.02") == 0.02
    for wrong in ("fast", "1/0", "-1", "7"):
        with pytest.raises(CalibrationError, match="such as 1/250"):
            parse_exposure(wrong)


def test_what_became_of_the_settings_is_kept_for_later(tmp_path: Path) -> None:
    told = apply_settings(Driver(stubborn=(cv2.CAP_PROP_FOCUS,)), CameraSettings(1 / 250, 64.0, 12.0, 5000.0))
    assert load_told(tmp_path / "told.json") == ()
    save_told(tmp_path / "told.json", told)
    assert load_told(tmp_path / "told.json") == told
    assert [setting.name for setting in told if not setting.took] == ["focus"]


@pytest.mark.parametrize("text", ["[1]", '[{"name": "gain"}]', "3"])
def test_a_damaged_word_of_the_settings_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "told.json").write_text(text)
    with pytest.raises(CalibrationError, match="delete it"):
        load_told(tmp_path / "told.json")
