/**
 * Currencies of ISO 4217 and how many decimals each has.
 *
 * Everything has two, but for the codes listed here. A code that is not on the
 * list of ISO 4217 is refused where it is read: a mistyped currency is worse
 * than a missing one.
 */
import * as Decimal from "./Decimal.ts"

const ZERO = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ")
const THREE = "BHD IQD JOD KWD LYD OMR TND".split(" ")

/** The active codes of ISO 4217 (funds codes and precious metals left out). */
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

/** Fraction digits of one unit: 2 for GBP, 0 for JPY, 3 for KWD; 2 for a code that is not known. */
export const decimals = (code: string): number => DECIMALS.get(code) ?? 2

/** One minor unit, as a decimal in major units. */
const step = (code: string): bigint => 10n ** BigInt(Decimal.DECIMAL_PLACES - decimals(code))

/**
 * An amount in minor units (pence, cents, fils; fractions allowed) as a decimal in major units.
 * Throws a `RangeError` when that has more than eight places.
 */
export const fromMinor = (minor: Decimal.Decimal, code: string): Decimal.Decimal => {
  const major = Decimal.shifted(minor, decimals(code))
  if (major === undefined) throw new RangeError(`${Decimal.format(minor)} minor units are too fine in ${code}`)
  return major
}

/** An amount in major units as a decimal in minor units, with its fractions; `fromMinor` the other way round. */
export const inMinor = (amount: Decimal.Decimal, code: string): Decimal.Decimal =>
  amount * 10n ** BigInt(decimals(code))

/** A whole number of minor units as a decimal in major units. */
export const ofMinor = (minor: bigint, code: string): Decimal.Decimal => minor * step(code)

/**
 * A decimal in major units as a whole number of minor units.
 * Throws a `RangeError` when `amount` is finer than the currency.
 */
export const toMinor = (amount: Decimal.Decimal, code: string): bigint => {
  const unit = step(code)
  if (amount % unit !== 0n)
    throw new RangeError(`${Decimal.format(amount)} has more decimal places than ${code} allows`)
  return amount / unit
}

/** Whether an amount in major units is a whole number of minor units, so that `toMinor` takes it. */
export const fits = (amount: Decimal.Decimal, code: string): boolean => Decimal.fits(amount, decimals(code))

/**
 * Like `toMinor`, for an amount that somebody else stated and that must not stop anything: a finer rest counts as one
 * more minor unit, so that it shows as a difference and never disappears.
 */
export const toMinorOutward = (amount: Decimal.Decimal, code: string): bigint => {
  const unit = step(code)
  const whole = amount / unit
  return amount % unit === 0n ? whole : whole + (amount < 0n ? -1n : 1n)
}

/** Writes an amount with its currency's decimals: `1234.50`, `1234`, `1.234`. Finer digits are kept. */
export const format = (amount: Decimal.Decimal, code: string): string => Decimal.format(amount, decimals(code))

/** `1234567.50` as `1,234,567.50`, for reading only. */
export const group = (amount: string): string => {
  const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(amount) ?? []
  return whole === undefined ? amount : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest}`
}

/** An amount as people write it, without its currency: `1,234.50`. */
export const sayNumber = (amount: Decimal.Decimal, code = ""): string => group(format(amount, code))

/** An amount in words for people: `1,234.50 GBP`, `1,234 JPY`; without a currency, the amount alone. */
export const say = (amount: Decimal.Decimal, code = ""): string => `${sayNumber(amount, code)} ${code}`.trimEnd()
