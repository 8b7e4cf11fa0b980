"""An eye that begins with what a calibration profile knows."""

from dataclasses import replace

from calibration.profile import CalibrationProfile
from vision.straight import lens_to_mend, straight_corners
from zarbiter.eye import Eye
from zarbiter.profiles import known_of


def with_profile(eye: Eye, profile: CalibrationProfile, image_size_px: tuple[int, int]) -> Eye:
    """Return the eye with the profile's geometry and look; corners a person gave stay.

    An eye looks at straightened frames (`vision.straight`), and its corners lie in those.

    Raises:
        ProfileError: the profile is for another view.
    """
    known = known_of(profile, image_size_px)
    corners, lens = known.corners_px, lens_to_mend(known.lens, image_size_px)
    if corners is not None and lens is not None:
        corners = straight_corners(corners, lens)
    return replace(
        eye,
        corners_px=eye.corners_px or corners,
        geometry=known.geometry,
        look=known.look,
        focal_px=None if known.lens is None else known.lens.focal_for(image_size_px[0]),
    )
