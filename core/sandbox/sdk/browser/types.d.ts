/** Style sheets are text in the bundle. */
declare module "*.css" {
  const text: string
  export default text
}
