/**
 * ISO 4217 currencies and their numbers of decimals.
 *
 * Every currency has two, except for those listed here. A code that is not in
 * ISO 4217 is rejected when it is read: a mistyped currency is worse than a
 * missing one.
 */
import * as Decimal from "./Decimal.ts"

const ZERO = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ")
const THREE = "BHD IQD JOD KWD LYD OMR TND".split(" ")

/** The active ISO 4217 codes, without funds codes and precious metals. */
const CODES = (
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP " +
  "CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR " +
  "ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT " +
  "MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD " +
  "SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYI UYU UZS VES " +
  "VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG"
).split(" ")

const DECIMALS: ReadonlyMap<string, number> = new Map(
  CODES.map((code) => [code, ZERO.includes(code) ? 0 : THREE.includes(code) ? 3 : 2])
)

export const isCurrency = (code: string): boolean => DECIMALS.has(code)

/** Fraction digits: 2 for GBP, 0 for JPY, 3 for KWD; 2 for an unknown code. */
export const decimals = (code: string): number => DECIMALS.get(code) ?? 2

/** One minor unit, as a decimal in major units. */
const step = (code: string): bigint => Decimal.power(Decimal.DECIMAL_PLACES - decimals(code))

/**
 * Converts minor units (pence, cents, fils; fractions allowed) to a decimal in major units.
 * Throws a `RangeError` if the result has more than eight places.
 */
export const fromMinor = (minor: Decimal.Decimal, code: string): Decimal.Decimal => {
  const major = Decimal.shifted(minor, decimals(code))
  if (major === undefined) throw new RangeError(`${Decimal.format(minor)} minor units are too fine in ${code}`)
  return major
}

/** Converts major units to minor units, keeping fractions; the inverse of `fromMinor`. */
export const inMinor = (amount: Decimal.Decimal, code: string): Decimal.Decimal =>
  amount * 10n ** BigInt(decimals(code))

/** Converts an integer of minor units to a decimal in major units. */
export const ofMinor = (minor: bigint, code: string): Decimal.Decimal => minor * step(code)

/**
 * Converts a decimal in major units to an integer of minor units.
 * Throws a `RangeError` if `amount` is finer than the currency.
 */
export const toMinor = (amount: Decimal.Decimal, code: string): bigint => {
  const unit = step(code)
  if (amount % unit !== 0n)
    throw new RangeError(`${Decimal.format(amount)} has more decimal places than ${code} allows`)
  return amount / unit
}

/** Whether an amount in major units is an integer of minor units, so that `toMinor` accepts it. */
export const fits = (amount: Decimal.Decimal, code: string): boolean => Decimal.fits(amount, decimals(code))

/**
 * Like `toMinor`, for an amount from outside that must not cause an error: a fraction of a minor unit is rounded away from
 * zero, so that it shows as a difference and never disappears.
 */
export const toMinorOutward = (amount: Decimal.Decimal, code: string): bigint => {
  const unit = step(code)
  const whole = amount / unit
  return amount % unit === 0n ? whole : whole + (amount < 0n ? -1n : 1n)
}

/** Formats an amount with its currency's decimals: `1234.50`, `1234`, `1.234`. Finer digits are kept. */
export const format = (amount: Decimal.Decimal, code: string): string => Decimal.format(amount, decimals(code))

/** Groups thousands for display: `1234567.50` becomes `1,234,567.50`. */
export const group = (amount: string): string => {
  const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(amount) ?? []
  return whole === undefined ? amount : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest}`
}

/** An amount for people, without its currency: `1,234.50`. */
export const sayNumber = (amount: Decimal.Decimal, code = ""): string => group(format(amount, code))

/** An amount for people: `1,234.50 GBP`, `1,234 JPY`; without a currency, the number alone. */
export const say = (amount: Decimal.Decimal, code = ""): string => `${sayNumber(amount, code)} ${code}`.trimEnd()
