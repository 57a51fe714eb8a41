/** Names of people from many languages and scripts, by country. */
export type NamePool = {
  readonly country: string;
  readonly language: string;
  readonly first: readonly string[];
  readonly last: readonly string[];
};

export const namePools: readonly NamePool[] = [
  {
    country: 'FR',
    language: 'fr',
    first: ['Amélie', 'Clémence', 'Benoît', 'François', 'Zoé', 'Raphaël', 'Inès', 'Loïc'],
    last: ['Beaumont', 'Lefèvre', 'Durand', 'Étienne', 'Garnier', 'Le Goff', 'de la Tour', 'Chevalier'],
  },
  {
    country: 'DE',
    language: 'de',
    first: ['Jürgen', 'Käthe', 'Lukas', 'Sabine', 'Björn', 'Franziska', 'Matthias', 'Heike'],
    last: ['Müller', 'Groß', 'Schäfer', 'von der Heydt', 'Weiß', 'Köhler', 'Brandt', 'Meyer-Landrut'],
  },
  {
    country: 'CH',
    language: 'de',
    first: ['Urs', 'Regula', 'Beat', 'Mirjam', 'Reto', 'Corinne'],
    last: ['Zürcher', 'Aeschbacher', 'Rüegg', 'Hunziker', 'Bühlmann', 'Gerber'],
  },
  {
    country: 'JP',
    language: 'ja',
    first: ['武', '美咲', '健太', '陽子', '大輔', '花子'],
    last: ['小林', '佐藤', '鈴木', '高橋', '渡辺', '斎藤'],
  },
  {
    country: 'CN',
    language: 'zh',
    first: ['伟', '秀英', '磊', '静', '浩然', '雨桐'],
    last: ['王', '李', '张', '欧阳', '陈', '赵'],
  },
  {
    country: 'AE',
    language: 'ar',
    first: ['حسن', 'فاطمة', 'محمد', 'ليلى', 'يوسف', 'نورة'],
    last: ['المنصوري', 'الهاشمي', 'بن سعيد', 'النعيمي', 'الكعبي', 'الزعابي'],
  },
  {
    country: 'IL',
    language: 'he',
    first: ['דוד', 'מיכל', 'יונתן', 'שרה'],
    last: ['כהן', 'לוי', 'מזרחי', 'בן־דוד'],
  },
  {
    country: 'GR',
    language: 'el',
    first: ['Γιώργος', 'Ελένη', 'Νίκος', 'Μαρία'],
    last: ['Παπαδόπουλος', 'Οικονόμου', 'Δημητρίου', 'Αγγελοπούλου'],
  },
  {
    country: 'UA',
    language: 'uk',
    first: ['Олена', 'Андрій', 'Тарас', 'Наталія'],
    last: ['Шевченко', 'Коваленко', 'Бондаренко', 'Ткаченко'],
  },
  {
    country: 'CZ',
    language: 'cs',
    first: ['Jiří', 'Šárka', 'Ondřej', 'Zdeňka'],
    last: ['Dvořák', 'Nováková', 'Říha', 'Žižka'],
  },
  {
    country: 'PL',
    language: 'pl',
    first: ['Łukasz', 'Małgorzata', 'Paweł', 'Agnieszka'],
    last: ['Wójcik', 'Kowalczyk', 'Brzęczyszczykiewicz', 'Żak'],
  },
  {
    country: 'SE',
    language: 'sv',
    first: ['Lena', 'Åke', 'Björn', 'Östen'],
    last: ['Olsson', 'Åkesson', 'Lindström', 'Öberg-Håkansson'],
  },
  {
    country: 'NL',
    language: 'nl',
    first: ['Pieter', 'Sanne', 'Joost', 'Femke'],
    last: ['van der Velde', 'de Vries', "van 't Hof", 'Janssen'],
  },
  {
    country: 'IT',
    language: 'it',
    first: ['Giulia', 'Niccolò', 'Chiara', 'Matteo'],
    last: ['Rossi', "D'Angelo", 'Esposito', 'De Luca'],
  },
  {
    country: 'ES',
    language: 'es',
    first: ['José María', 'Begoña', 'Íñigo', 'Lucía'],
    last: ['Fernández García', 'Núñez de Balboa', 'Ibáñez', 'Muñoz'],
  },
  {
    country: 'PT',
    language: 'pt',
    first: ['João', 'Conceição', 'Inês', 'Tomás'],
    last: ['Gonçalves', 'dos Santos', 'Araújo', 'Magalhães'],
  },
  {
    country: 'TR',
    language: 'tr',
    first: ['İbrahim', 'Çağla', 'Oğuz', 'Şule'],
    last: ['Yıldız', 'Öztürk', 'Güneş', 'Çelik'],
  },
  {
    country: 'VN',
    language: 'vi',
    first: ['Thị Hương', 'Văn Đức', 'Minh Châu', 'Quốc Bảo'],
    last: ['Nguyễn', 'Trần', 'Đặng', 'Phạm'],
  },
  {
    country: 'IN',
    language: 'hi',
    first: ['आरव', 'प्रिया', 'राजेश', 'अनन्या'],
    last: ['शर्मा', 'वर्मा', 'पटेल', 'सिंह'],
  },
  {
    country: 'KR',
    language: 'ko',
    first: ['민준', '서연', '지훈', '하은'],
    last: ['김', '이', '박', '최'],
  },
  {
    country: 'TH',
    language: 'th',
    first: ['สมชาย', 'กัลยา', 'ประเสริฐ'],
    last: ['ศรีสุข', 'วงศ์สวัสดิ์', 'ทองดี'],
  },
  {
    country: 'GB',
    language: 'en',
    first: ['Siobhán', 'Oliver', 'Priya', 'Gwendolyn', 'Ng', 'Zoë'],
    last: ["O'Brien", 'Smith', 'Featherstonehaugh', 'MacLeod', 'Li', 'Brontë-Ashcroft'],
  },
];

export const companies: readonly string[] = [
  'Ateliers du Rhône',
  'Maschinenfabrik Oberland',
  '東和精機',
  'Gulf Logistics',
  'Polderwerk',
  'Officine Bianchi',
  'Nordkraft',
  'Helvetic Packaging',
  'Skoda & Syn',
  'Bursa Otomotiv',
  'Hanoi Precision',
  'Pune Drives',
  'Castle & Moor',
  'Atlântica Portos',
  'Stadtwerke Linz',
  'Müller Weingarten Pressenbau und Fördertechnik Verwaltungsgesellschaft mbH & Co. KG',
];

export const jobTitles: readonly string[] = [
  'Head of production',
  'Buyer',
  'Process engineer',
  'Managing director',
  'Maintenance lead',
  'Student',
  'Journalist',
  'Software architect',
];
