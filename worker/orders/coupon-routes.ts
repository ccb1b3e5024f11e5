/** The calls about coupons. */
import type { Hono } from 'hono';
import { couponCalls } from '#contract/coupons.calls.ts';
import { callerOf, depsOf, type AppEnv } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { clientAddress } from '../http/network-address.ts';
import { addCoupon, endCoupon, listCoupons, readCouponPrice } from './coupons.ts';

export function mountCoupons(app: Hono<AppEnv>): void {
  mount(app, couponCalls, {
    'GET /coupons': ({ c }) => listCoupons(depsOf(c)),

    'POST /add-coupon': ({ c, account, body }) => addCoupon(callerOf(c, account), body),

    'POST /coupon/:id/end': ({ c, account, id }) => endCoupon(callerOf(c, account), id),

    'POST /coupon-price': async ({ c, account, body }) => {
      const deps = depsOf(c);
      return readCouponPrice({ ...deps, account }, body, account?.id ?? clientAddress(deps));
    },
  });
}
