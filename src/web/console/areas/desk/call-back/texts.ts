import { defineTexts } from '../../../i18n/texts.ts'

export const useCallBackTexts = defineTexts({
  en: {
    when: 'When',
    NONE: 'No callback',
    HOUR: 'In an hour',
    THREE_HOURS: 'In three hours',
    TOMORROW: 'Tomorrow at 10',
    OTHER: 'At a time…',
    notAhead: 'Choose a time from now on, at most a year ahead',
  },
  hi: {
    when: 'कब',
    NONE: 'कॉलबैक नहीं',
    HOUR: 'एक घंटे में',
    THREE_HOURS: 'तीन घंटे में',
    TOMORROW: 'कल 10 बजे',
    OTHER: 'किसी समय पर…',
    notAhead: 'अब से एक साल तक का कोई समय चुनें',
  },
})
