/** Which navigations a screen can follow without loading another document. */

/** Whether the document can stay. It cannot for a reload, a download or a jump within the page. */
export const staysInDocument = ({
  canIntercept,
  hashChange,
  downloadRequest,
  navigationType,
}: NavigateEvent): boolean =>
  canIntercept && !hashChange && downloadRequest === null && navigationType !== 'reload';
