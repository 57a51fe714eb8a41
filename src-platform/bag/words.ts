/**
 * The words of a bag page, in the languages of the visitor's screen.
 *
 * Invariant: the language comes from the phone's language preferences, in their order; otherwise it is English.
 */

/** The words of one language. */
export type BagWords = {
  readonly language: string;
  readonly title: string;
  /** Label of the link that opens one content. */
  readonly open: string;
  /** Sentence about how long the page exists, and that it names nobody. */
  readonly note: string;
  readonly over: string;
  readonly gone: string;
  readonly onItsWay: string;
};

const ENGLISH: BagWords = {
  language: 'en',
  title: 'What you took along',
  open: 'Open',
  note: 'This page works until the event ends. It does not say who you are. Keep what you need.',
  over: 'The event is over, and this page with it.',
  gone: 'There is nothing here any more: it was taken back.',
  onItsWay:
    'Nothing here yet. What you took may still be on its way from the stand. This page looks again by itself.',
};

const ALL: readonly BagWords[] = [
  ENGLISH,
  {
    language: 'de',
    title: 'Das haben Sie mitgenommen',
    open: 'Öffnen',
    note: 'Diese Seite gibt es bis zum Ende der Veranstaltung. Sie verrät nicht, wer Sie sind. Bewahren Sie auf, was Sie brauchen.',
    over: 'Die Veranstaltung ist vorbei, und mit ihr diese Seite.',
    gone: 'Hier ist nichts mehr: Es wurde zurückgenommen.',
    onItsWay:
      'Noch nichts da. Vielleicht ist es noch unterwegs vom Stand. Diese Seite sieht von selbst wieder nach.',
  },
  {
    language: 'fr',
    title: 'Ce que vous avez emporté',
    open: 'Ouvrir',
    note: 'Cette page existe jusqu’à la fin de l’événement. Elle ne dit pas qui vous êtes. Gardez ce dont vous avez besoin.',
    over: 'L’événement est terminé, et cette page aussi.',
    gone: 'Il n’y a plus rien ici : tout a été annulé.',
    onItsWay:
      'Rien ici pour l’instant. Vos contenus sont peut-être encore en route depuis le stand. Cette page vérifie d’elle-même.',
  },
  {
    language: 'es',
    title: 'Lo que se ha llevado',
    open: 'Abrir',
    note: 'Esta página existe hasta que termine el evento. No dice quién es usted. Guarde lo que necesite.',
    over: 'El evento ha terminado, y esta página también.',
    gone: 'Aquí ya no hay nada: se ha retirado.',
    onItsWay:
      'Todavía no hay nada aquí. Puede que aún esté en camino desde el stand. Esta página vuelve a mirar por sí sola.',
  },
  {
    language: 'it',
    title: 'Che cosa ha preso con sé',
    open: 'Apri',
    note: 'Questa pagina esiste fino alla fine dell’evento. Non dice chi è lei. Conservi ciò che le serve.',
    over: 'L’evento è finito, e con esso questa pagina.',
    gone: 'Qui non c’è più nulla: è stato annullato.',
    onItsWay:
      'Ancora nulla qui. Forse è ancora in arrivo dallo stand. Questa pagina controlla di nuovo da sola.',
  },
  {
    language: 'nl',
    title: 'Wat u hebt meegenomen',
    open: 'Openen',
    note: 'Deze pagina bestaat tot het einde van het evenement. Ze zegt niet wie u bent. Bewaar wat u nodig hebt.',
    over: 'Het evenement is voorbij, en deze pagina ook.',
    gone: 'Hier is niets meer: het is teruggenomen.',
    onItsWay:
      'Nog niets hier. Misschien is het nog onderweg vanaf de stand. Deze pagina kijkt vanzelf opnieuw.',
  },
  {
    language: 'pt',
    title: 'O que levou consigo',
    open: 'Abrir',
    note: 'Esta página existe até ao fim do evento. Não diz quem é. Guarde o que precisar.',
    over: 'O evento terminou, e esta página também.',
    gone: 'Já não há nada aqui: foi anulado.',
    onItsWay:
      'Ainda não há nada aqui. Talvez ainda esteja a caminho do stand. Esta página volta a verificar sozinha.',
  },
  {
    language: 'ar',
    title: 'ما أخذته معك',
    open: 'فتح',
    note: 'تبقى هذه الصفحة حتى نهاية الفعالية، ولا تذكر من أنت. احتفظ بما تحتاج إليه.',
    over: 'انتهت الفعالية، وانتهت معها هذه الصفحة.',
    gone: 'لم يعد هنا شيء: تم التراجع عنه.',
    onItsWay: 'لا شيء هنا بعد. ربما ما زال في الطريق من الجناح. تتحقق هذه الصفحة من جديد تلقائيًا.',
  },
  {
    language: 'ja',
    title: 'お持ち帰りの内容',
    open: '開く',
    note: 'このページはイベント終了まで表示されます。お名前などは含まれません。必要なものは保存してください。',
    over: 'イベントは終了しました。このページも終了しています。',
    gone: 'ここにはもう何もありません。取り消されました。',
    onItsWay: 'まだ何もありません。ブースから届く途中かもしれません。このページは自動的に確認します。',
  },
  {
    language: 'zh',
    title: '您带走的内容',
    open: '打开',
    note: '此页面保留到活动结束，不会显示您是谁。请保存您需要的内容。',
    over: '活动已结束，此页面也已关闭。',
    gone: '这里已没有内容：已被撤回。',
    onItsWay: '这里暂时没有内容，可能仍在从展台发送的途中。此页面会自动再次查看。',
  },
];

/** The words for an `Accept-Language` header. */
export function wordsFor(header: string | undefined): BagWords {
  const wanted = (header ?? '').split(',').flatMap((part) => {
    const [tag = '', weight = ''] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/);
    const quality = weight === '' ? 1 : Number(weight);
    return quality > 0 ? [{ language: tag.split('-')[0], quality }] : [];
  });
  for (const { language } of wanted.toSorted((one, other) => other.quality - one.quality)) {
    const found = ALL.find((words) => words.language === language);
    if (found !== undefined) return found;
  }
  return ENGLISH;
}
