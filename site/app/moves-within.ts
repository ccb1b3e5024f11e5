/** Which navigations a screen can follow without loading another document. */

/** Whether the document itself can stay: not where it is read anew, a file is saved, or another place on it is shown. */
export const staysInDocument = ({
  canIntercept,
  hashChange,
  downloadRequest,
  navigationType,
}: NavigateEvent): boolean =>
  canIntercept && !hashChange && downloadRequest === null && navigationType !== 'reload';
