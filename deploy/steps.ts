/**
 * The steps that a deployment offers at a terminal until they are done or a person says no. The settings store the
 * result, so a failed step is offered again.
 */
import { saveSettings, type Settings } from './settings.ts';

export type Step = 'domain' | 'turnstile';

const endedSteps = ({ STEPS_NOT_OFFERED = '' }: Settings): string[] =>
  STEPS_NOT_OFFERED.split(',').filter((step) => step !== '');

export const isOffered = (settings: Settings, step: Step): boolean => !endedSteps(settings).includes(step);

/** Records that a step is done or declined. */
export async function endStep(settings: Settings, step: Step): Promise<Settings> {
  const ended = { STEPS_NOT_OFFERED: [...endedSteps(settings), step].join(',') };
  await saveSettings(ended);
  return { ...settings, ...ended };
}
