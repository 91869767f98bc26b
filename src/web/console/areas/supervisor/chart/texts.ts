import { defineTexts } from '../../../i18n/texts.ts'

export const useChartTexts = defineTexts({
  en: {
    chart: 'Chart',
    table: 'Table',
    show: (title: string) => `Show ${title} as`,
    describe: (title: string, from: string, to: string) => `${title}: chart from ${from} to ${to}. The table has the numbers.`,
  },
  hi: {
    chart: 'चार्ट',
    table: 'तालिका',
    show: (title) => `${title} ऐसे दिखाएँ`,
    describe: (title, from, to) => `${title}: ${from} से ${to} तक का चार्ट। संख्याएँ तालिका में हैं।`,
  },
})
