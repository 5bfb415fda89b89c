/** What a bank writes where it books several payments as one. */

/** Of how many payments a bank's line says that it is: `SAMMLER ANZAHL 11`. */
const COUNT = /\b(?:ANZ|ANZAHL|COUNT|NUMBER|NOMBRE|AANTAL|NUMERO|NB)[ .:]{1,2}(\d{1,4})\b/i

/** The same as a number; 0: it says none. */
export const countIn = (text: string): number => Number(COUNT.exec(text)?.[1] ?? 0)
