r"""What stands behind a number in other languages: units, money, counters and plain nouns.

A known unit is the English one (``18 美元`` is 18 dollars), and a known noun counts things, as ``18
яблок`` does. Any other word may make the number another, deny it or doubt it, so it is no unit.
"""

from __future__ import annotations

import re
from fractions import Fraction

from verifiers_math.equivalence.units import Unit, read_unit

_SPELLINGS = {
    "dollars": (
        "美元 美金 ドル 달러 ডলার ดอลลาร์ ดอลล่าร์ డాలర్లు డాలర్ డాలర్ల डॉलर दोलार доллар доллара долларов "
        "долл dólar dólares دولار دولارا دولارات"
    ),
    "cents": "美分 セント 센트 সেন্ট เซนต์ సెంట్లు सेंट цент цента центов سنت سنتا",
    "euros": "欧元 ユーロ 유로 ইউরো ยูโร యూరోలు यूरो евро يورو",
    "rupees": "卢比 ルピー 루피 রুপি টাকা రూపాయలు రూపాయి रुपये रुपए रुपया рупий روبية",
    "yuan": "元 人民币 块 圆",
    "rubles": "рубль рубля рублей руб",
    "krw": "원",
    "baht": "บาท",
    "yen": "日元 円 엔 เยน иен",
    "km": (
        "千米 公里 キロメートル 킬로미터 কিলোমিটার กิโลเมตร కిలోమీటర్లు किलोमीटर км километр "
        "километра километров كيلومتر"
    ),
    "m": "米 公尺 メートル 미터 মিটার เมตร మీటర్లు मीटर м метр метра метров متر mètre mètres",
    "cm": (
        "厘米 公分 センチ センチメートル 센티미터 সেন্টিমিটার সেমি เซนติเมตร సెంటీమీటర్లు सेंटीमीटर सेमी см "
        "сантиметр сантиметра сантиметров سنتيمتر سم centímetros centimètres"
    ),
    "mm": "毫米 ミリメートル 밀리미터 มิลลิเมตร मिलीमीटर мм миллиметров",
    "dm": "分米 дм дециметров",
    "kg": (
        "千克 公斤 キログラム 킬로그램 কেজি কিলোগ্রাম กิโลกรัม కిలోలు కిలోగ్రాములు किलोग्राम किलो кг "
        "килограмм килограмма килограммов"
    ),
    "g": "克 グラム 그램 গ্রাম กรัม గ్రాములు ग्राम г грамм грамма граммов",
    "l": "升 公升 リットル 리터 লিটার ลิตร లీటర్లు लीटर л литр литра литров لتر",
    "ml": "毫升 ミリリットル 밀리리터 মিলিলিটার มิลลิลิตร मिलीलीटर мл миллилитров",
    "seconds": "秒 秒钟 초 সেকেন্ড วินาที సెకన్లు सेकंड секунд секунды секунда ثانية",
    "minutes": "分钟 分鐘 分 분 মিনিট นาที నిమిషాలు मिनट мин минут минуты минута دقيقة دقائق",
    "hours": "小时 小時 時間 时 시간 ঘণ্টা ঘন্টা ชั่วโมง గంటలు घंटे घंटा ч час часа часов ساعة ساعات",
    "days": "天 日 日間 일 দিন วัน రోజులు दिन день дня дней يوم أيام días",
    "weeks": "周 週間 星期 주 সপ্তাহ สัปดาห์ వారాలు सप्ताह недель недели أسابيع",
    "months": "个月 か月 ヶ月 개월 মাস เดือน నెలలు महीने месяцев месяца أشهر",
    "years": "年 年間 년 বছর ปี సంవత్సరాలు वर्ष साल лет года год سنة سنوات años",
    "degrees": "度 도 ডিগ্রি องศา డిగ్రీలు डिग्री градусов градуса درجة",
    "square cm": "平方厘米 平方センチメートル 제곱센티미터 см²",
    "square m": "平方米 平方メートル 제곱미터 м²",
    "square km": "平方千米 平方公里 平方キロメートル 제곱킬로미터",
    "cubic cm": "立方厘米 立方センチメートル 세제곱센티미터",
    "cubic m": "立方米 立方メートル 세제곱미터",
}
_ENGLISH = {word: unit for unit, words in _SPELLINGS.items() for word in words.split()}
_COUNTERS = (
    "个 個 人 名 位 本 只 隻 支 枝 张 張 条 條 辆 朵 棵 颗 粒 件 枚 匹 头 台 封 篇 页 頁 杯 瓶 "
    "箱 盒 袋 包 岁 歲 歳 才 种 種 冊 羽 頭 通り 種類 道 把 座 间 家 층 개 명 마리 권 송이 그루 "
    "자루 장 병 잔 조각 살 가지"
).split()
"""Counters of Chinese, Japanese and Korean; the noun may follow without a space."""
_NOUNS = frozenset(
    (
        # Chinese, Japanese, Korean
        "苹果 蘋果 学生 學生 孩子 老师 男生 女生 男孩 女孩 工人 书 書 球 鸡蛋 雞蛋 蛋 糖果 糖 "
        "饼干 蛋糕 橙子 桔子 香蕉 梨 西瓜 花 玫瑰 树 樹 鸡 鸭 兔子 牛 羊 马 鱼 狗 猫 车 汽车 "
        "自行车 椅子 桌子 铅笔 笔 邮票 卡片 气球 玩具 题 题目 问题 方法 方案 单位 硬币 弹珠 "
        "房间 朋友 票 りんご リンゴ みかん 卵 子供 生徒 方法 사람 학생 사과 책 방법 달걀 아이 "
        "사탕 연필 꽃 나무 "
        # Russian
        "яблоко яблока яблок груша груши груш книга книги книг человек человека ученик ученика "
        "учеников студентов ребёнок ребенка детей мальчиков девочек яйцо яйца яиц конфета "
        "конфеты конфет мяч мяча мячей шар шара шаров цветок цветка цветов роза розы роз дерево "
        "дерева деревьев карандаш карандаша карандашей марка марки марок игрушка игрушки "
        "игрушек монета монеты монет машина машины машин стул стула стульев стол стола столов "
        "штука штуки штук шт способ способа способов билет билета билетов страница страницы "
        "страниц единица единицы единиц курица курицы куриц кошек собак коров рыба рыбы рыб "
        "друзей команд решений "
        # Western Europe
        "äpfel stück stücke schüler schülerin schülerinnen möglichkeiten münzen bücher bäume "
        "hühner kühe hündchen gläser stühle mädchen häuser élève élèves étudiant étudiants "
        "étudiante étudiantes écolier écoliers œuf œufs pièce pièces étoiles élément éléments "
        "gâteau gâteaux fenêtres crêpes niño niños niña niñas árbol árboles lápiz lápices "
        "páginas camión camiones galletas pájaros pingüinos limón balón balones melón melones "
        "plátano plátanos maçã maçãs maça limões balões pão pães árvore árvores página lápis "
        "cão cães "
        # Hindi, Bengali, Telugu, Thai, Arabic
        "सेब आम किताब किताबें किताबे पुस्तकें छात्र बच्चे लड़के लड़कियाँ लोग व्यक्ति अंडे गेंद "
        "गेंदें फूल पेड़ पेंसिल टॉफी टॉफियाँ सिक्के तरीके টি টা জন খানা বই আপেল আম কমলা ছাত্র "
        "ছাত্রী শিক্ষার্থী ডিম বল ফুল গাছ পেন্সিল টিকিট ఆపిల్స్ ఆపిల్ పుస్తకాలు పుస్తకం "
        "విద్యార్థులు మంది గుడ్లు పిల్లలు బంతులు పువ్వులు చెట్లు คน ลูก ตัว เล่ม ผล ใบ ชิ้น ฟอง "
        "อัน ดอก คัน ต้น แก้ว ข้อ วิธี แท่ง เม็ด หน่วย تفاحة تفاحات كتاب كتب كتابا طالب طلاب "
        "طالبا شخص أشخاص شخصا بيضة بيضات كرة كرات زهرة طفل أطفال قلم أقلام طريقة"
    ).split()
)
"""What is counted in word problems."""
_NOUNS_OR_NONE = _NOUNS | {""}
_COUNTED = re.compile(f"(?:{'|'.join(_COUNTERS)})的?(?P<noun>.*)")
MAX_CHARS = 30
MAX_WORDS = 2
_UPRIGHT = re.compile(r" ?\\text ?\{ ?([^{}]*?) ?\} ?")


def read_foreign_unit(text: str) -> Unit | None:
    """Reads what stands behind a number as a word of another language; None where it is none.

    Args:
        text: The rest of a tidied answer behind its numeral.
    """
    if len(text) > MAX_CHARS or text.isascii():
        return None
    upright = _UPRIGHT.fullmatch(text)
    plain = (upright[1] if upright else text).strip().removesuffix(".").lower()
    english = _ENGLISH.get(plain)
    if english is not None:
        return read_unit(f"\\text{{ {english}}}")
    words = plain.split()
    if not 1 <= len(words) <= MAX_WORDS or not all(map(_is_noun, words)):
        return None
    return Unit(Fraction(1), None, plain)


def _is_noun(word: str) -> bool:
    """Whether a word of another language is known to say what is counted."""
    counted = _COUNTED.fullmatch(word)
    return word in _NOUNS or (counted is not None and counted["noun"] in _NOUNS_OR_NONE)
