/**
 * Seeds of the simulation for mutation testing. The first calls every operation without faults. Of the first 1,200,
 * each of the others notices changes of the code that earlier ones miss; the cheap ones come first.
 */
export const fixedSeeds: readonly number[] = [
  1, 81, 382, 45, 10, 28, 46, 198, 8, 359, 135, 162, 861, 1179, 1161, 539, 322, 133, 523, 121, 466, 502, 815, 530, 500,
  965, 811, 775, 1110, 273, 781, 416, 80,
];
