import { defineTexts } from '../i18n/texts.ts'

export const useUiTexts = defineTexts({
  en: {
    close: 'Close',
    dismiss: 'Dismiss',
    tryAgain: 'Try again',
    loading: 'Loading',
    reference: (id: string) => `Reference for support: ${id}`,
    sortedUp: 'sorted ascending',
    sortedDown: 'sorted descending',
  },
  hi: {
    close: 'बंद करें',
    dismiss: 'हटाएँ',
    tryAgain: 'फिर कोशिश करें',
    loading: 'लोड हो रहा है',
    reference: (id) => `सहायता के लिए संदर्भ: ${id}`,
    sortedUp: 'बढ़ते क्रम में',
    sortedDown: 'घटते क्रम में',
  },
})
