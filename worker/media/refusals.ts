/** Errors for files that we do not accept as pictures. */
import { invalid } from '../http/errors.ts';

/** @returns an ApiError 422 for the field `file` */
export const refuse = (sentence: string) => invalid({ file: sentence });

export const truncated = () =>
  refuse('This picture is cut off: the end of the file is missing. Please upload it again.');
