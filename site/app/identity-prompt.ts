/** Lets calls ask for a confirmation of identity. The dialog loads when it is first needed. */
import { setIdentityPrompt } from './call.ts';

setIdentityPrompt(async () => {
  const { confirmIdentity } = await import('./confirm-identity.tsx');
  return confirmIdentity();
});
