/** Writes an account's number in one way, because banks write it in several: `10010010/123456789` is `DE48100100100123456789`. */

/** The remainder of an IBAN's digits, ISO 13616: letters are numbers from 10 on. */
const remainder = (text: string): number => {
  let rest = 0
  for (const digit of text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)))
    rest = (rest * 10 + Number(digit)) % 97
  return rest
}

/** The IBAN of a country's own account number. */
export const iban = (country: string, account: string): string =>
  `${country}${String(98 - remainder(`${account}${country}00`)).padStart(2, "0")}${account}`

const DIGIT_OF = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** A bank's, a branch's and an account's number, with the two digits that French banks check them by (clé RIB). */
const french = (account: string): string => {
  // A to I, J to R and S to Z stand for 1 to 9, 1 to 9 and 2 to 9.
  const digits = account.replace(/[A-Z]/g, (letter) => {
    const n = DIGIT_OF.indexOf(letter)
    return String(n < 18 ? (n % 9) + 1 : n - 16)
  })
  const [bank, branch, number] = [digits.slice(0, 5), digits.slice(5, 10), digits.slice(10)].map(BigInt) as [
    bigint,
    bigint,
    bigint
  ]
  const key = 97n - ((89n * bank + 15n * branch + 3n * number) % 97n)
  return iban("FR", `${account}${String(key).padStart(2, "0")}`)
}

const WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]

/** The check digit of ten digits of a Spanish account number. */
const spanishDigit = (digits: string): number => {
  const rest = 11 - (WEIGHTS.reduce((sum, weight, n) => sum + weight * Number(digits[n] ?? 0), 0) % 11)
  return rest > 9 ? 11 - rest : rest
}

/** A bank's, a branch's and an account's number as Norma 43 has them, without their check digits. */
export const spanish = (account: string): string => {
  if (!/^\d{18}$/.test(account)) return account
  const [office, number] = [account.slice(0, 8), account.slice(8)]
  return iban("ES", `${office}${spanishDigit(`00${office}`)}${spanishDigit(number)}${number}`)
}

/** Without spaces; bank code and number as the IBAN that follows from them, in Germany, Austria and France; sort codes without their bank. */
export const canonical = (text: string): string => {
  const account = text.replace(/\s/g, "").toUpperCase()
  // Some banks append the currency.
  const [, bank = "", number = ""] = /^(\d{5}|\d{8})\/0*(\d{1,11})(?:[A-Z]{3})?$/.exec(account) ?? []
  if (bank.length === 8 && number.length <= 10) return iban("DE", bank + number.padStart(10, "0"))
  if (bank.length === 5) return iban("AT", bank + number.padStart(11, "0"))
  if (/^\d{10}[0-9A-Z]{11}$/.test(account)) return french(account)
  const [, sortCode, rest] =
    /^GB\d\d[A-Z]{4}(\d{6})(\d{8})$/.exec(account) ?? /^(\d\d-?\d\d-?\d\d)[-/]?(\d{8})$/.exec(account) ?? []
  return sortCode === undefined ? account : `GB${sortCode.replaceAll("-", "")}${rest}`
}
