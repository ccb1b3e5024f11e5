/** What a step of a plan says of its days. */
import { counted } from '#contract/counted.ts';
import type { OrderEvent } from '#contract/orders.calls.ts';
import type { PlanStep } from '#contract/plans.calls.ts';

const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day as people read it, `Nov 30, 2026`. @param day YYYY-MM-DD */
export const displayDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));

const daysFrom = (day: string, other: string): number => (Date.parse(other) - Date.parse(day)) / 86_400_000;

/** What is added of a step that was moved. @param plannedDay the day it was due at first */
const displayPlanned = (plannedDay: string | null | undefined): string =>
  plannedDay ? `, first planned for ${displayDay(plannedDay)}` : '';

/** How a day on which something was done lies to the day it was due. @param plannedDay the day it was due at first, where it was moved */
function displayLateness(dueDay: string, doneDay: string, plannedDay?: string | null): string {
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

/** Until when it is whose turn: our work on a step, or its customer's answer to it. */
export const displayTurn = (step: PlanStep): string =>
  step.answerDay === null
    ? displayDue(step)
    : `${step.isOverdue ? 'Your answer was due' : 'Your answer is due'} ${displayDay(step.answerDay)}`;

/** What of a plan that has ended was never done. */
export const stepsLeft = (steps: readonly PlanStep[]): readonly PlanStep[] =>
  steps.filter(({ state, isUntracked }) => state !== 'done' && !isUntracked);

/** What became of a step that was left, `Not done` or `Not approved`. */
export const displayLeft = ({ state }: Pick<PlanStep, 'state'>): string =>
  state === 'waiting' ? 'Not approved' : 'Not done';

/** What a timeline says with an event: how a step lay to the day it was due, or where it was moved, and what was written. */
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
