import { defineTexts } from '../i18n/texts.ts'

export const useUiTexts = defineTexts({
  en: {
    close: 'Close',
    dismiss: 'Dismiss',
    cancel: 'Cancel',
    tryAgain: 'Try again',
    loadMore: 'Load more',
    copyOf: (name: string) => `Copy: ${name}`,
    copied: 'Copied',
    notCopied: 'The browser does not allow it: select the text and copy it',
    loading: 'Loading',
    reference: (id: string) => `Reference for support: ${id}`,
    sortedUp: 'sorted ascending',
    sortedDown: 'sorted descending',
  },
  hi: {
    close: 'बंद करें',
    dismiss: 'हटाएँ',
    cancel: 'रद्द करें',
    tryAgain: 'फिर कोशिश करें',
    loadMore: 'और दिखाएँ',
    copyOf: (name) => `कॉपी करें: ${name}`,
    copied: 'कॉपी हो गया',
    notCopied: 'ब्राउज़र अनुमति नहीं देता: टेक्स्ट चुनकर कॉपी करें',
    loading: 'लोड हो रहा है',
    reference: (id) => `सहायता के लिए संदर्भ: ${id}`,
    sortedUp: 'बढ़ते क्रम में',
    sortedDown: 'घटते क्रम में',
  },
})
