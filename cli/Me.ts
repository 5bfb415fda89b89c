/** Who runs this command, as the system knows them. */
import { userInfo } from "node:os"

export const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return "somebody"
  }
}
