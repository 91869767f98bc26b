const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`
const year = String.raw`(?:19|20)\d\d`
const alone = (pattern: string): string => String.raw`(?<![\d/]|\d[.-])${pattern}(?![\d/]|[.-]\d)`
const rupees = String.raw`rs\b|inr\b|rupees?\b|₹|र[ुू](?:प[यए]|(?![\p{L}\p{M}]))\p{M}?`
const largeUnits = String.raw`(?:${rupees})(?!\.?\s?\d)|/-|lakhs?\b|lacs?\b|crores?\b|thousand\b|लाख|करो(?:ड़|\u095c)|ह(?:ज़?|\u095b)ार|per\s(?:cubic|cmm|mm|µl|microlit)|/\s?(?:cu|cmm|mm|µl|ul)|cells\b|%`
/** Of these nobody counts millions. */
const smallUnits = String.raw`m[gl]\b|mcg\b|iu\b|units?\b`
/** Not an amount: a mobile number, however its second half is written. */
const noMobile = String.raw`(?![6-9]\d{4}[\s.,-]{0,2}\d(?:[\s.-]?\d){4}(?!\d))`
/** Dates, blood pressures, decimals, amounts: what has the digits of a number, and says nothing about who somebody is. */
export const readings = new RegExp(
  [
    alone(String.raw`${year}[/.-]\d{1,2}[/.-]\d{1,2}`),
    alone(String.raw`${day}[/.-]${day}[/.-](?:${year}|\d\d)`),
    String.raw`(?<!\d\s?)${day}\s${day}\s${year}(?!\s?\d)`,
    alone(String.raw`\d{1,2}/${year}`),
    alone(String.raw`\d{1,3}\s?/\s?\d{1,3}`),
    String.raw`(?<![\d.,])\d{1,3}(?:,\d\d){1,3},\d{3}(?:\.\d{1,2})?(?!,?\d)`,
    String.raw`(?<!(?:number|नंबर)(?:\sis)?\s)(?<![\d.,])\d{1,3}(?:,\d{3}){1,2}(?:\.\d{1,2})?(?!,?\d)`,
    String.raw`(?<![\d.,])${noMobile}(?:\d{1,5}\.\d{3}|\d{1,8}\.\d{1,2})(?![\d.]?\d)`,
    String.raw`(?<![\p{L}\p{M}])(?:${rupees})\.?\s?${noMobile}\d[\d,]{0,14}(?:\.\d{1,2})?`,
    String.raw`(?<!\d[\s-]?)\d{1,8}\s?(?:${largeUnits})`,
    String.raw`(?<!\d[\s-]?)\d{1,6}\s?(?:${smallUnits})`,
  ].join('|'),
  'giu',
)
