"""An eye that begins with what a calibration profile knows."""

from dataclasses import replace

from calibration.profile import CalibrationProfile
from zarbiter.eye import Eye
from zarbiter.profiles import known_of


def with_profile(eye: Eye, profile: CalibrationProfile, image_size_px: tuple[int, int]) -> Eye:
    """Return the eye with the profile's geometry and look; corners a person gave stay.

    Raises:
        ProfileError: the profile is for another view.
    """
    known = known_of(profile, image_size_px)
    return replace(
        eye,
        corners_px=eye.corners_px or known.corners_px,
        geometry=known.geometry,
        look=known.look,
    )
