/** Writes an account's number in one way, because banks write it in several: `10010010/123456789` is `DE48100100100123456789`. */

/** The remainder of an IBAN's digits, ISO 13616: letters are numbers from 10 on. */
const remainder = (text: string): number => {
  let rest = 0
  for (const digit of text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)))
    rest = (rest * 10 + Number(digit)) % 97
  return rest
}

const iban = (country: string, account: string): string =>
  `${country}${String(98 - remainder(`${account}${country}00`)).padStart(2, "0")}${account}`

/** Without spaces; bank code and number as the IBAN that follows from them, in Germany and Austria; sort codes without their bank. */
export const canonical = (text: string): string => {
  const account = text.replace(/\s/g, "").toUpperCase()
  // Some banks append the currency.
  const [, bank = "", number = ""] = /^(\d{5}|\d{8})\/0*(\d{1,11})(?:[A-Z]{3})?$/.exec(account) ?? []
  if (bank.length === 8 && number.length <= 10) return iban("DE", bank + number.padStart(10, "0"))
  if (bank.length === 5) return iban("AT", bank + number.padStart(11, "0"))
  const [, sortCode, rest] =
    /^GB\d\d[A-Z]{4}(\d{6})(\d{8})$/.exec(account) ?? /^(\d\d-?\d\d-?\d\d)[-/]?(\d{8})$/.exec(account) ?? []
  return sortCode === undefined ? account : `GB${sortCode.replaceAll("-", "")}${rest}`
}
