import { defineTexts } from '../i18n/texts.ts'

export const useLateOutcomeTexts = defineTexts({
  en: {
    none: 'No outcome',
    byProvider: (text: string) => `The provider wrote: ${text}`,
    give: 'Give outcome',
    title: 'Outcome of the call',
    outcome: 'Outcome',
    notes: 'Notes',
    notesHint: 'Left empty, the notes of the call stay as they are.',
    save: 'Save outcome',
    alreadyGiven: (outcome: string) => `The call already has the outcome “${outcome}”.`,
  },
  hi: {
    none: 'कोई परिणाम नहीं',
    byProvider: (text) => `प्रदाता ने लिखा: ${text}`,
    give: 'परिणाम दें',
    title: 'कॉल का परिणाम',
    outcome: 'परिणाम',
    notes: 'नोट्स',
    notesHint: 'खाली छोड़ने पर कॉल के नोट्स वैसे ही रहते हैं।',
    save: 'परिणाम सहेजें',
    alreadyGiven: (outcome) => `कॉल का परिणाम पहले से “${outcome}” है।`,
  },
})
