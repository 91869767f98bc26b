import { plural } from '../../../i18n/plural.ts'
import { defineTexts } from '../../../i18n/texts.ts'

export const useIdleTexts = defineTexts({
  en: {
    title: 'Calls',
    waiting: 'You are ready',
    waitingText: 'The next call appears here by itself.',
    notWaiting: 'You get no calls now',
    becomeReady: 'Become ready',
    seeCallbacks: 'See who waits for a call',
    due: (person: string, others: number) =>
      others === 0
        ? `${person} waits for your call`
        : plural('en', others, {
            one: `${person} and 1 other wait for your call`,
            other: `${person} and ${others} others wait for your call`,
          }),
    openCallbacks: 'Open callbacks',
    dialLabel: 'Call a number',
    call: 'Call',
    testCall: 'Let a customer call',
    testCallText: 'This is a sandbox: customers call only when you let them. They repeat what you say.',
    testCallNeedsReady: 'This is a sandbox: become ready, then let a customer call.',
    noTestCall: 'No call could ring: you must be ready, and your phone too',
  },
  hi: {
    title: 'कॉल',
    waiting: 'आप तैयार हैं',
    waitingText: 'अगली कॉल यहाँ अपने-आप दिखेगी।',
    notWaiting: 'अभी आपको कॉल नहीं मिलेंगी',
    becomeReady: 'तैयार हों',
    seeCallbacks: 'देखें कौन कॉल की प्रतीक्षा में है',
    due: (person, others) =>
      others === 0
        ? `${person} आपकी कॉल की प्रतीक्षा में है`
        : plural('hi', others, {
            one: `${person} और ${others} अन्य आपकी कॉल की प्रतीक्षा में हैं`,
            other: `${person} और ${others} अन्य आपकी कॉल की प्रतीक्षा में हैं`,
          }),
    openCallbacks: 'कॉलबैक खोलें',
    dialLabel: 'नंबर पर कॉल करें',
    call: 'कॉल करें',
    testCall: 'ग्राहक से कॉल करवाएँ',
    testCallText: 'यह सैंडबॉक्स है: कोई अपने-आप कॉल नहीं करता। ग्राहक आपकी बात दोहराता है।',
    testCallNeedsReady: 'यह सैंडबॉक्स है: तैयार हों, फिर ग्राहक से कॉल करवाएँ।',
    noTestCall: 'कॉल नहीं बज सकी: आप और आपका फ़ोन दोनों तैयार होने चाहिए',
  },
})
