import type { Command } from 'commander';
import type { ContextProvider } from '#cli/service/command-context.ts';
import { commandGroup } from '#cli/terminal/command-group.ts';
import { reviewMember } from '../contract/review-member.ts';
import { addAppReview } from './app-review-command.ts';
import { addOffboarding } from './offboard-commands.ts';

/** Adds `apps review`, and `users offboard` and `users reinstate`. */
export function addReviews(program: Command, provider: ContextProvider): void {
  addAppReview(commandGroup(program, 'apps'), provider);
  addOffboarding(commandGroup(program, 'users'), provider);
}

/** The reviews that are overdue, among the numbers. */
addReviews.overview = reviewMember;
