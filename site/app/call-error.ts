/** Converts any thrown value into a `CallError`, so that screens handle only one kind of failure. */
import { CallError } from './call.ts';

/** The messages of Chrome, Firefox and Safari when the file of an `import()` could not be loaded. */
const missingFile = /dynamically imported module|importing a module script/i;

/** The file of an `import()` could not be loaded: there is no connection, or a deployment has replaced the files. */
export class MissingPart extends CallError {
  constructor() {
    super({
      title: 'A part of this page is missing',
      status: 0,
      detail: 'A part of this page could not be loaded. Check your connection, then reload the page.',
    });
  }
}

export function callErrorOf(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown;
  console.error(thrown);
  if (thrown instanceof TypeError && missingFile.test(thrown.message)) return new MissingPart();
  return new CallError({
    title: 'Error',
    status: 0,
    detail: 'Something went wrong on this screen. Please try again.',
  });
}
