/** The system's name of the user who runs this command. */
import { userInfo } from "node:os"

export const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return "somebody"
  }
}
