/** What a step of a plan says of its days. */
import { counted } from '#contract/counted.ts';
import type { PlanStep } from '#contract/work.ts';

const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day as people read it, `Nov 30, 2026`. @param day YYYY-MM-DD */
export const displayDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`));

const daysFrom = (day: string, other: string): number => (Date.parse(other) - Date.parse(day)) / 86_400_000;

/** How a day on which something was done lies to the day it was due. */
export function displayLateness(dueDay: string, doneDay: string): string {
  const late = daysFrom(dueDay, doneDay);
  if (late === 0) return `Done on the day it was due, ${displayDay(dueDay)}`;
  return `Done ${counted(Math.abs(late), 'day')} ${late > 0 ? 'late' : 'early'}: it was due on ${displayDay(dueDay)}`;
}

/** When a step is due, or how late or early it was done. */
export function displayDue({
  dueDay,
  doneDay,
  isOverdue,
}: Pick<PlanStep, 'dueDay' | 'doneDay' | 'isOverdue'>): string {
  if (doneDay !== null) return displayLateness(dueDay, doneDay);
  return isOverdue ? `Late: it was due on ${displayDay(dueDay)}` : `Due ${displayDay(dueDay)}`;
}
