import { useMemo } from 'react'
import { useFormats } from '../../../i18n/format.ts'

/** `2:05 pm` in the clinic's time zone. */
export function useClinicTime(timeZone: string): (moment: number | string) => string {
  const { clockIn } = useFormats()
  return useMemo(() => clockIn(timeZone), [clockIn, timeZone])
}
