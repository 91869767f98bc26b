/** A share of 0 to 1: `62 %`. */
export function percentText(share: number): string {
  return `${Math.round(share * 100)} %`
}
