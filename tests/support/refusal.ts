import { toApiError } from '#worker/http/errors.ts';

/** The status and message that a person gets instead of what they wanted; undefined on success. */
export async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const { status, message } = toApiError(error, { var: { log: () => undefined } } as never);
    return `${String(status)} ${message}`;
  }
}
