/**
 * Seeds of the simulation for mutation testing. The first two call every operation when nothing goes wrong; the others were
 * chosen of the first 1,200: some that notice a broken condition, then so many that each line is reached by three of
 * them.
 */
export const fixedSeeds: readonly number[] = [
  1, 81, 8, 10, 28, 45, 46, 80, 167, 192, 368, 382, 466, 121, 133, 135, 162, 198, 242, 273, 283, 290, 322, 359, 416,
  437, 485, 498, 500, 502, 509, 523, 524, 530, 539, 677, 716, 775, 781, 811, 815, 848, 861, 883, 926, 938, 944, 965,
  977, 987, 1052, 1081, 1093, 1110, 1113, 1123, 1127, 1153, 1161, 1170, 1172, 1179, 1184, 1187,
];
