import { useMemo } from 'react'
import { useStore } from '../../../data/store.ts'
import { languageStore } from '../../../i18n/language.ts'

/** `14:05` in the clinic's time zone. */
export function useClinicTime(timeZone: string): (moment: number | string) => string {
  const language = useStore(languageStore)
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(`${language}-IN`, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    return (moment) => format.format(new Date(moment))
  }, [language, timeZone])
}
