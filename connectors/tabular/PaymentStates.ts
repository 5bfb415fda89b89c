/** What a payment's state means: `pending` and `failed` were not received, `refunded` and `charged_back` went back. */
export const PAYMENT_STATES = ["received", "pending", "failed", "refunded", "charged_back"] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]
