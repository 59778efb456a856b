"""Nouns that say what a number counts: English ones by their plural, all others as listed.

What is not known to be a noun may make the number another, deny it or doubt it, in some language.
"""

from __future__ import annotations

import re

_PLURAL = re.compile(r"people|children|men|women|[a-z]{2,}s")
_WITHOUT_S = frozenset(
    (
        # English nouns, and what is said of no number in particular
        "candy fruit money change staff fish sheep deer dice feet teeth mice geese cattle unit "
        "person way acre ton cc kcal cal bpm mpg rpm total left remaining possible overall "
        "altogether exactly expected required desired qed answer percent pct percentage form "
        # German
        "stunden stunde tage tag minuten sekunden wochen monate jahre jahr meilen kilogramm "
        "gramm kilo meter zentimeter kinder eier personen leute freunde karten blumen punkte "
        "seiten kisten bleistifte hunde katzen autos kugeln murmeln briefmarken tickets rosen "
        "kekse flaschen stifte tiere lehrer kilometer liter grad quadratmeter "
        # Italian, Romanian
        "dollari euro centesimi ora giorni minuti secondi settimane mesi anni metri chilometri "
        "litri grammi chili gradi mele uova libri persone studenti bambini ragazzi ragazze palline "
        "caramelle biglietti fiori monete carte pagine modi lei "
        # Swahili, Indonesian
        "dola siku masaa dakika wiki miezi miaka maua vitabu watu wanafunzi watoto mayai "
        "hari menit minggu bulan tahun buah orang buku siswa apel cara "
        # Turkish, Polish, Swedish, Dutch
        "saat dakika gun elma kitap kisi yumurta godzin jabek osob dolarow zlotych "
        "timmar dagar kronor barn personer uur dagen minuten jaar appels boeken mensen kinderen"
    ).split()
)
"""Nouns in Latin letters, in lower case, that have no ``s`` behind a number."""
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


def is_plural(word: str) -> bool:
    """Returns whether an English noun, in lower case, may stand for several things."""
    return _PLURAL.fullmatch(word) is not None


def is_known_noun(word: str) -> bool:
    """Returns whether a word, in lower case, is known to say what is counted."""
    if word.isascii():
        return word in _WITHOUT_S
    counted = _COUNTED.fullmatch(word)
    return word in _NOUNS or (counted is not None and counted["noun"] in _NOUNS_OR_NONE)
