/** A separate copy of the product in which the Premium package is paid every month. */
import { findPackage } from './orders.ts';
import { startTestSystem, type TestSystem } from './system.ts';
import { signInAdministrator } from './visitor.ts';

/** Starts the copy. The shared one keeps its packages, which other tests buy once. */
export async function startMonthlySystem(): Promise<TestSystem> {
  const system = await startTestSystem();
  const administrator = await signInAdministrator(system.url);
  const { _id } = await findPackage(administrator, 'Premium');
  await administrator.put(`/api/pricing/${_id}`, { billing: 'monthly', displayName: 'Monthly care' });
  return system;
}
