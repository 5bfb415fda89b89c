/** Icons of the menu, always beside a word: 20 units, one stroke. */
import { html, type Node } from "./Html.ts"

const PATHS: Readonly<Record<string, string>> = {
  "/": "M3 5h14v12H3zM3 9h14M7 3v4M13 3v4",
  "/attention": "M3 11l2-7h10l2 7v5H3zM3 11h4l1 2h4l1-2h4",
  "/plans": "M5 3h10v14H5zM7.5 10l2 2 3-4",
  "/receivables": "M4 17v-6M8 17V7M12 17v-8M16 17V4",
  "/customers":
    "M8 9a3 3 0 100-6 3 3 0 000 6zM2.5 17c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 3.500a3 3 0 010 5.500M15 12.500c1.6.7 2.5 2.2 2.5 4.5",
  "/debtors": "M4 17V4h8v13M12 9h4v8M2 17h16M7 7h2M7 10h2M7 13h2",
  "/documents": "M5 3h7l3 3v11H5zM12 3v3h3M7.5 10h5M7.5 13h5",
  "/cover": "M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5z",
  "/months": "M3 6h14M3 10h14M3 14h14M3 17h14",
  "/activity": "M10 17a7 7 0 100-14 7 7 0 000 14zM10 6v4l3 2",
  "/connections": "M7 3v4M13 3v4M5 7h10v3a5 5 0 01-10 0zM10 15v3",
  "/people": "M10 9a3 3 0 100-6 3 3 0 000 6zM4 17c0-3.5 2.7-5.5 6-5.500s6 2 6 5.5",
  "/alerts": "M5 14V9a5 5 0 0110 0v5l1.5 1.500h-13zM8.5 17.500h3",
  "/settings": "M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 100-4 2 2 0 000 4zM7 16a2 2 0 100-4 2 2 0 000 4z"
}

export const icon = (room: string): Node => {
  const path = PATHS[room]
  return path === undefined ? null : html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d=${path} /></svg>`
}
