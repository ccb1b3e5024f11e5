/** The calls about coupons. */
import type { Hono } from 'hono';
import { couponCalls } from '#contract/coupons.calls.ts';
import { displayDiscount } from '#contract/coupons.ts';
import { tellAudit } from '../audit/audited-calls.ts';
import { callerOf, depsOf, type AppEnv } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { addCoupon, endCoupon, listCoupons, readCouponPrice } from './coupons.ts';

export function mountCoupons(app: Hono<AppEnv>): void {
  mount(app, couponCalls, {
    'GET /coupons': ({ c }) => listCoupons(depsOf(c)),

    'POST /add-coupon': async ({ c, body }) => {
      const coupon = await addCoupon(depsOf(c), body);
      tellAudit(c, {
        recordId: coupon._id,
        details: `Made the coupon ${coupon.code}, ${displayDiscount(coupon)}`,
      });
      return coupon;
    },

    'POST /coupon/:id/end': async ({ c, id }) => {
      const coupon = await endCoupon(depsOf(c), id);
      tellAudit(c, { details: `Ended the coupon ${coupon.code}` });
      return coupon;
    },

    'POST /coupon-price': ({ c, account, body }) => readCouponPrice(callerOf(c, account), body),
  });
}
