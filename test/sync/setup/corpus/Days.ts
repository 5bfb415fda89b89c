/** How exports write days and amounts. */
import { day } from "./Movements.ts"

export const OWN = "NL20INGB0001234567"
export const dmy = (on: string): string => day(on, "dd/MM/yyyy")
export const dotted = (on: string): string => day(on, "dd.MM.yyyy")
export const plain = (on: string): string => on.replaceAll("-", "")
export const comma = (amount: string): string => amount.replace(".", ",")
