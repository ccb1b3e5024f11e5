/** Errors for files that we do not accept as pictures. */
import { invalid } from '../http/errors.ts';

/** @returns an ApiError 422 for the field `file` */
export const refuse = (sentence: string) => invalid({ file: sentence });

export const truncated = () =>
  refuse('This file ends before the picture does: it was cut off on the way. Please upload it again.');
