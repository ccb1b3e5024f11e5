import { counted } from '#contract/counted.ts';
import type { OrderEvent } from '#contract/orders.calls.ts';
import type { PlanStep } from '#contract/plans.calls.ts';

const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a day, such as `Nov 30, 2026`. @param day YYYY-MM-DD */
export const displayDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));

const daysFrom = (day: string, other: string): number => (Date.parse(other) - Date.parse(day)) / 86_400_000;

/** The note about a moved step. @param plannedDay the original due day */
const displayPlanned = (plannedDay: string | null | undefined): string =>
  plannedDay ? `, first planned for ${displayDay(plannedDay)}` : '';

/** Says how late or early a step was done. @param plannedDay the original due day, if the step was moved */
function displayLateness(dueDay: string, doneDay: string, plannedDay: string | null | undefined): string {
  const late = daysFrom(dueDay, doneDay);
  const planned = displayPlanned(plannedDay);
  if (late === 0) return `Done on the day it was due, ${displayDay(dueDay)}${planned}`;
  return `Done ${counted(Math.abs(late), 'day')} ${late > 0 ? 'late' : 'early'}: it was due on ${displayDay(dueDay)}${planned}`;
}

/** When a step is due, or how late or early it was done. */
export function displayDue({
  dueDay,
  plannedDay,
  doneDay,
  isOverdue,
}: Pick<PlanStep, 'dueDay' | 'plannedDay' | 'doneDay' | 'isOverdue'>): string {
  if (doneDay !== null) return displayLateness(dueDay, doneDay, plannedDay);
  return `${isOverdue ? 'Late: it was due on' : 'Due'} ${displayDay(dueDay)}${displayPlanned(plannedDay)}`;
}

/** The due day of the current task: our work on a step, or the customer's answer to it. */
export const displayTurn = (step: PlanStep): string =>
  step.answerDay === null
    ? displayDue(step)
    : `${step.isOverdue ? 'Your answer was due' : 'Your answer is due'} ${displayDay(step.answerDay)}`;

/** The unfinished steps of a plan that has ended. */
export const stepsLeft = (steps: readonly PlanStep[]): readonly PlanStep[] =>
  steps.filter(({ state, isUntracked }) => state !== 'done' && !isUntracked);

/** The result of an unfinished step: `Not done` or `Not approved`. */
export const displayLeft = ({ state }: Pick<PlanStep, 'state'>): string =>
  state === 'waiting' ? 'Not approved' : 'Not done';

/** The details of a timeline event: on time or late, moved to which day, and the note. */
export function noteOf({ after }: OrderEvent): string | undefined {
  const { note, dueDay, movedFrom, doneDay, plannedDay } = after;
  const days =
    dueDay === undefined
      ? []
      : [
          ...(movedFrom === undefined
            ? []
            : [`Due ${displayDay(dueDay)} instead of ${displayDay(movedFrom)}`]),
          ...(doneDay === undefined ? [] : [displayLateness(dueDay, doneDay, plannedDay)]),
        ];
  return [...days, ...(note === undefined ? [] : [note])].join('\n') || undefined;
}
