/** The cookies of who signs in. */
import { Duration } from "effect"
import * as Cookies from "effect/http/Cookies"

/** How a cookie is sent: over TLS only, if it is set over TLS. */
export interface Connection {
  readonly encrypted: boolean
}

/** Limited to this site unless told otherwise, not readable by scripts, with a lifetime. */
export const cookie = (
  name: string,
  value: string,
  lastsMs: number,
  { encrypted }: Connection,
  { path, sameSite }: Partial<Pick<NonNullable<Cookies.Cookie["options"]>, "path" | "sameSite">> = {}
): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(name, value, {
      path: path ?? "/",
      httpOnly: true,
      sameSite: sameSite ?? "strict",
      secure: encrypted,
      maxAge: Duration.millis(lastsMs)
    })
  )
