/** What follows the number of reviews that are overdue: `1 access review is overdue`. */
export const overdueWords = (count: number) =>
  count === 1 ? 'access review is overdue' : 'access reviews are overdue';
